import LibC

extension String {
  /// The part behind the last slash.
  ///
  /// Compared by bytes, as the system does: a slash with a combining mark is another character, but
  /// still a slash.
  var lastComponent: String { String(self[afterLastSlash...]) }

  /// The part up to the last slash, with the slash; empty if there is none.
  var folder: String { String(self[..<afterLastSlash]) }

  /// Whether it ends with this text, byte by byte.
  func hasEnding(_ ending: String) -> Bool { utf8.reversed().starts(with: ending.utf8.reversed()) }

  private var afterLastSlash: Index {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
  }

  /// The path of the same file with links resolved; none if there is no such file, with the reason
  /// in `errno`.
  var resolvedPath: String? {
    guard let resolved = realpath(self, nil) else { return nil }
    let text = String(validatingCString: resolved)
    free(resolved)
    // With other bytes it would be the path of another file.
    if text == nil { errno = EILSEQ }
    return text
  }

  /// The names in the folder at this path; none if it cannot be read, with the reason in `errno`.
  var namesInFolder: [String]? {
    guard let directory = opendir(self) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
