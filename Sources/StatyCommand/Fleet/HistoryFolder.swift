#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A folder of histories, with folders in it.
struct HistoryFolder {
  /// How the names of histories end.
  static let ending = ".sqlite"

  private let path: String

  init(_ path: String) { self.path = path }

  /// The paths of the histories below the folder, in the order of the alphabet; links to folders are
  /// not followed.
  func files() throws(Failure) -> [String] {
    var files: [String] = []
    try list("", into: &files)
    return files.sorted()
  }

  private func list(_ below: String, into files: inout [String]) throws(Failure) {
    let place = below.isEmpty ? path : "\(path)/\(below)"
    guard let directory = opendir(place.isEmpty ? " " : place) else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw Failure(
        status: .noInput,
        message: "Reading '\(place)': "
          + (isMissing ? "there is no such folder." : "\(String(cString: strerror(errno)))."),
        advice: "Check the path.")
    }
    var folders: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(".") { continue }
      let inside = below.isEmpty ? name : "\(below)/\(name)"
      var status = stat()
      guard lstat("\(path)/\(inside)", &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: folders.append(inside)
      case S_IFREG where name.hasSuffix(Self.ending): files.append(inside)
      default: break
      }
    }
    closedir(directory)
    for folder in folders { try list(folder, into: &files) }
  }
}
