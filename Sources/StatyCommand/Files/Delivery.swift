/// The way of a verb's data to where the command line wants it.
struct Delivery {
  private let file: OutputFile?
  private let console: Console

  /// Makes the file at once if one is wanted: who cannot write is told before the work.
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

  /// How long those who take the data held it up so far.
  var waited: Duration { file?.waited ?? console.out.waited }

  /// What is to be removed if the process ends before the data is whole; none if nothing is.
  var draft: String? { file?.draft }

  /// Hands a part of the data on.
  func write(_ text: String) throws {
    if let file {
      try file.write(text)
    } else {
      try console.out.write(text)
    }
  }

  /// Says that this was all.
  func finish() throws {
    try file?.close()
  }
}
