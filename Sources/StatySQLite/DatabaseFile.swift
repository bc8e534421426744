import LibC

/// The files of an SQLite database.
package enum DatabaseFile {
  /// The first bytes of every database.
  package static let mark = Array("SQLite format 3\0".utf8)

  /// The endings of the files that SQLite may have next to a database.
  package static let companions = ["-wal", "-shm", "-journal"]

  /// Whether the journal next to a database names another file, as that of a transaction on several
  /// databases does: SQLite would remove that file.
  ///
  /// No connection of ours makes such a transaction.
  package static func hasJournalOfSeveral(at path: String) -> Bool {
    let file = open(path + "-journal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    // The end of the file: the length of the name, a checksum, and the mark of a journal.
    let size = lseek(file, 0, SEEK_END)
    var end = [UInt8](repeating: 0, count: 16)
    guard size >= 16, pread(file, &end, 16, size - 16) == 16 else { return false }
    return end[8...] == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
      && end[..<4] != [0, 0, 0, 0]
  }

  /// Removes a database and SQLite's files next to it, if they exist.
  package static func remove(at path: String) {
    for ending in [""] + companions { unlink(path + ending) }
  }
}
