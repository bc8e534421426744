import LibC

/// A folder of histories, with folders in it.
struct HistoryFolder {
  /// What is in it and cannot be looked at.
  struct Unread {
    let path: String
    let problem: String
  }

  /// How the names of histories end.
  private static let ending = ".sqlite"
  private let folder: String
  /// The paths of the histories, from the folder, in the order of the alphabet.
  private(set) var files: [String] = []
  /// What may be histories, or hold some.
  private(set) var unread: [Unread] = []

  /// Looks into a folder; links to folders are not followed.
  ///
  /// - Throws: if it cannot be read, or there is no history in it.
  init(_ folder: String, doing: String) throws(Failure) {
    self.folder = folder
    if let code = list("") {
      let isMissing = code == ENOENT || code == ENOTDIR
      throw Failure(
        status: .noInput,
        message: "\(doing) '\(folder)': "
          + (isMissing ? "there is no such folder." : "\(String(cString: strerror(code)))."),
        advice: "Check the path.")
    }
    guard !files.isEmpty || !unread.isEmpty else {
      throw Failure(
        status: .noInput, message: "\(doing) '\(folder)': there is no history in it.",
        advice: "Name a folder with files that end in '\(Self.ending)'.")
    }
    files.sort()
    unread.sort { $0.path < $1.path }
  }

  /// - Returns: why the folder could not be read.
  private mutating func list(_ below: String) -> Int32? {
    let place = below.isEmpty ? folder : "\(folder)/\(below)"
    guard let directory = opendir(place.isEmpty ? " " : place) else { return errno }
    var folders: [String] = []
    while let entry = readdir(directory) {
      let (name, isText) = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        // What was no text has come to be another name.
        return (name, name.utf8.elementsEqual(bytes.prefix { $0 != 0 }))
      }
      if name.utf8.starts(with: ".".utf8) { continue }
      let inside = below.isEmpty ? name : "\(below)/\(name)"
      if !isText {
        unread.append(Unread(path: inside, problem: "Its name is not in UTF-8."))
      } else if isFolder(inside) {
        folders.append(inside)
      } else {
        note(inside)
      }
    }
    closedir(directory)
    for inside in folders {
      guard let code = list(inside) else { continue }
      unread.append(
        Unread(path: inside, problem: "It cannot be opened: \(String(cString: strerror(code)))."))
    }
    return nil
  }

  private func isFolder(_ inside: String) -> Bool {
    var status = stat()
    return lstat("\(folder)/\(inside)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Takes a file, or what a link leads to: whoever put a link there meant that.
  private mutating func note(_ inside: String) {
    var status = stat()
    // What a link leads to may be gone; that is said when it is opened.
    let isFolder =
      stat("\(folder)/\(inside)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    if isFolder {
      unread.append(
        Unread(path: inside, problem: "It is a link to a folder, which is not followed."))
    } else if inside.hasEnding(Self.ending) {
      files.append(inside)
    }
  }
}
