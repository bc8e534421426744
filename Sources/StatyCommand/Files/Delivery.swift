/// Writes a verb's data to where the command line wants it.
struct Delivery {
  private let file: OutputFile?
  private let console: Console

  /// Makes an output file at once: if that is not possible, the failure comes before the work.
  init(_ choice: OutputChoice, _ console: Console) throws(Failure) {
    try choice.checkInputs()
    file =
      if let path = choice.path {
        try OutputFile(path, replacing: choice.isForced)
      } else {
        nil
      }
    self.console = console
  }

  /// How long writing has waited for the reader of the data.
  var waited: Duration { file?.waited ?? console.out.waited }

  /// Writes a part of the data.
  func write(_ text: String) throws {
    if let file {
      try file.write(text)
    } else {
      try console.out.write(text)
    }
  }

  /// Ends the data.
  func finish() throws {
    try file?.close()
  }
}
