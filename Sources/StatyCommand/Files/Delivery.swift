/// The way of a verb's data to where the command line wants it.
struct Delivery {
  private let file: OutputFile?
  private let console: Console

  /// Makes the file at once if one is wanted: who cannot write is told before the work.
  init(_ choice: OutputChoice, _ console: Console) throws(Failure) {
    file =
      if let path = choice.path {
        try OutputFile(path, replacing: choice.isForced)
      } else {
        nil
      }
    self.console = console
  }

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

/// Where the command line wants the output, and whether what is there may go.
struct OutputChoice {
  let path: String?
  let isForced: Bool

  init(path: String?, isForced: Bool) {
    self.path = path
    self.isForced = isForced
  }

  init(_ arguments: ParsedArguments) {
    path = arguments.text("output").flatMap { $0 == "-" ? nil : $0 }
    isForced = arguments.has("force")
  }
}
