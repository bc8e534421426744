import LibC
import StatyHistory

/// Where the command line wants the output, and whether an existing file may be replaced.
struct OutputChoice {
  let path: String?
  let isForced: Bool
  /// The files and folders that are read, which are never replaced.
  private let inputs: [String]

  /// - Parameter isForced: whether an existing file may be replaced; by default if '--force' says so.
  init(path: String?, of arguments: ParsedArguments, isForced: Bool? = nil) {
    self.path = path
    self.isForced = isForced ?? arguments.has("force")
    inputs = arguments.inputs
  }

  /// Refuses to replace an input, or a file that SQLite or a recorder keeps with an existing file.
  func checkInputs() throws(Failure) {
    guard let path, let output = FilePlace(path) else { return }
    if inputs.contains(where: { output.isRead(as: $0) }) {
      throw Failure(
        status: .usage, message: "Writing '\(path)': it is one of the files to read.",
        advice: "Choose another file to write.")
    }
    guard let owner = output.owners.first(where: FilePlace.isFile) else { return }
    throw Failure(
      status: .usage,
      message: "Writing '\(path)': the name belongs to a file that is kept next to '\(owner)'.",
      advice: "Choose another file to write.")
  }

  /// Refuses two outputs at the same path, and an output with the name of a file that belongs to
  /// the other.
  func check(apartFrom other: OutputChoice) throws(Failure) {
    if other.path == "-" {
      throw Failure(
        status: .usage, message: "'-' is no file: standard output has the report.",
        advice: "Name a file.")
    }
    guard let path, let place = FilePlace(path), let otherPath = other.path,
      let otherPlace = FilePlace(otherPath)
    else { return }
    let isBeside =
      place.owners.contains { FilePlace($0) == otherPlace }
      || otherPlace.owners.contains { FilePlace($0) == place }
    guard place == otherPlace || isBeside else { return }
    throw Failure(
      status: .usage,
      message: isBeside
        ? "Writing '\(path)': its name and '\(otherPath)' are those of one history."
        : "Writing '\(path)': two outputs would be written into it.",
      advice: "Choose another file for one of them.")
  }
}

extension ParsedArguments {
  /// The output that '--output' names.
  var output: OutputChoice {
    OutputChoice(path: text("output").flatMap { $0 == "-" ? nil : $0 }, of: self)
  }

  /// The file for JUnit XML, which is written besides the output.
  var junit: OutputChoice { OutputChoice(path: text("junit"), of: self) }
}

/// The identity of a file that exists or would be made; none for a device, which may have several
/// writers.
private struct FilePlace: Equatable {
  /// Its path with links resolved.
  private let real: String
  private let isThere: Bool

  init?(_ path: String) {
    var status = stat()
    isThere = stat(path, &status) == 0
    if isThere {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      real = path.resolvedPath ?? path
    } else {
      let folder = path.folder.isEmpty ? "." : path.folder
      // The name of a folder that is no UTF-8 is kept as it was given.
      guard let resolved = folder.resolvedPath ?? (errno == EILSEQ ? folder : nil) else {
        return nil
      }
      real = resolved + "/" + path.lastComponent
    }
  }

  /// By bytes, as paths are.
  static func == (one: FilePlace, other: FilePlace) -> Bool {
    one.real.utf8.elementsEqual(other.real.utf8)
  }

  /// Whether it is this input, or a rule in this folder.
  func isRead(as input: String) -> Bool {
    if let place = FilePlace(input) { return place == self }
    // A file that does not exist yet is no input.
    guard isThere else { return false }
    let rules = (input.namesInFolder ?? []).filter { $0.hasEnding(".sql") }
    return rules.contains { FilePlace(input + "/" + $0) == self }
  }

  /// The files that this one belongs to by its name: SQLite's files have such names, and rings,
  /// also those that were moved aside.
  var owners: [String] {
    var owners = HistoryFile.companions.filter(real.hasEnding).map {
      String(decoding: real.utf8.dropLast($0.utf8.count), as: UTF8.self)
    }
    // The last of these end with a UUID.
    for mark in HistoryFile.ringMarks {
      let length = mark.utf8.count + 36
      let end = String(decoding: real.utf8.suffix(length), as: UTF8.self)
      if end.utf8.count == length, end.utf8.starts(with: mark.utf8) {
        owners.append(String(decoding: real.utf8.dropLast(length), as: UTF8.self))
      }
    }
    return owners.filter { !$0.lastComponent.isEmpty }
  }

  /// Whether a file is there.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
