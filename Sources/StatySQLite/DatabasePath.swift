import LibC
import CSQLite

/// An absolute path.
///
/// SQLite can never take it for a `file:` URI, for `:memory:` or for the empty name of a temporary
/// database.
package struct DatabasePath {
  package let text: String

  /// Makes `path` absolute by resolving its directory.
  ///
  /// Links among the directories are followed, because on Apple's systems `/var` and `/tmp` are
  /// links. The last component is not changed, so that SQLite can refuse a link there.
  package init(_ path: String) throws(SQLiteError) {
    guard !path.isEmpty else { throw Self.refusal(of: path, "the path is empty") }
    guard !path.utf8.contains(0) else { throw Self.refusal(of: path, "the path contains NUL") }
    // By bytes, as the system does: a slash with a combining mark is another character, but still a slash.
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    var name = path.utf8[...]
    while name.count > 1, name.last == slash { name.removeLast() }
    let place = name.lastIndex(of: slash)
    let last = place.map { name[name.index(after: $0)...] } ?? name
    guard !last.elementsEqual([dot]), !last.elementsEqual([dot, dot]), !last.isEmpty else {
      throw Self.refusal(of: path, "the path names a directory")
    }
    let directory =
      place.map { $0 == name.startIndex ? "/" : String(Substring(name[..<$0])) } ?? "."
    guard let resolved = realpath(directory, nil) else {
      let reason = String(cString: strerror(errno))
      throw Self.refusal(of: path, "its directory cannot be reached (\(reason))")
    }
    defer { free(resolved) }
    // With other bytes it would be another directory.
    guard let base = String(validatingCString: resolved) else {
      throw Self.refusal(of: path, "the name of a directory on the way to it is not UTF-8")
    }
    text = (base == "/" ? "" : base) + "/" + String(Substring(last))
    try checkFileType()
  }

  /// Whether something exists at this path.
  var exists: Bool {
    var status = stat()
    return lstat(text, &status) == 0
  }

  /// Whether the path names a symbolic link.
  package var isLink: Bool {
    var status = stat()
    return lstat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// A `file:` URI of this path, with any characters, which tells SQLite that the file does not
  /// change.
  var immutableURI: String {
    var uri = "file:"
    let digits = Array("0123456789ABCDEF")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return uri + "?mode=ro&immutable=1"
  }

  /// Opening a pipe would wait for its other end, and opening a directory fails late with an
  /// unclear error.
  private func checkFileType() throws(SQLiteError) {
    var status = stat()
    guard lstat(text, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFLNK: return
    case S_IFDIR: throw Self.refusal(of: text, "it is a directory")
    default: throw Self.refusal(of: text, "it is no regular file")
    }
  }

  private static func refusal(of path: String, _ message: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_CANTOPEN, message: message, doing: "opening", path: path)
  }
}
