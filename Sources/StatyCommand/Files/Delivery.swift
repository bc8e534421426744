import LibC
import StatyHistory
import StatyText

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

/// Where the command line wants the output, and whether what is there may go.
struct OutputChoice {
  let path: String?
  let isForced: Bool
  /// The files that are read, which are never written over.
  private let inputs: [String]

  init(path: String?, of arguments: ParsedArguments) {
    self.path = path
    isForced = arguments.has("force")
    inputs = arguments.arguments
  }

  init(_ arguments: ParsedArguments) {
    self.init(
      path: arguments.text("output").flatMap { $0 == "-" ? nil : $0 }, of: arguments)
  }

  /// Where JUnit XML is wanted, beside the output.
  static func junit(_ arguments: ParsedArguments) throws(UsageError) -> OutputChoice {
    let path = arguments.text("junit")
    if path == "-" {
      throw arguments.misuse("'--junit' takes a file: standard output has the report.")
    }
    return OutputChoice(path: path, of: arguments)
  }

  /// Refuses to write over what is read, or where SQLite and a recorder keep what belongs to it.
  func checkInputs() throws(Failure) {
    guard let path, let output = Self.place(of: path) else { return }
    for input in inputs {
      guard
        let ending = ([""] + HistoryFile.companions).first(where: {
          Self.place(of: input + $0) == output
        })
      else { continue }
      throw Failure(
        status: .usage,
        message: ending.isEmpty
          ? "Writing '\(path)': it is one of the files to read."
          : "Writing '\(path)': the name belongs to what is kept beside '\(input)'.",
        advice: "Choose another file to write.")
    }
  }

  /// Refuses two outputs that would be written over each other.
  func check(apartFrom other: OutputChoice) throws(Failure) {
    guard let path, let otherPath = other.path, let place = Self.place(of: path),
      place == Self.place(of: otherPath)
    else { return }
    throw Failure(
      status: .usage, message: "Writing '\(path)': two outputs are to be written into it.",
      advice: "Choose another file for one of them.")
  }

  /// What tells the file apart that a path leads to, or would if it were there; `nil` of what is no
  /// file, such as a device, which several may write to.
  private static func place(of path: String) -> [String]? {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      return ["\(status.st_dev)", "\(status.st_ino)"]
    }
    let folder = path.folder
    guard stat(folder.isEmpty ? "." : folder, &status) == 0 else { return nil }
    return ["\(status.st_dev)", "\(status.st_ino)", path.lastComponent]
  }
}
