import LibC

/// The files of an SQLite database.
package enum DatabaseFile {
  /// The first bytes of every database.
  package static let mark = Array("SQLite format 3\0".utf8)

  /// The endings of the files that SQLite may have next to a database.
  package static let companions = ["-wal", "-shm", "-journal"]

  /// Whether a name has one of these endings.
  package static func isCompanion(_ name: String) -> Bool {
    companions.contains { name.utf8.reversed().starts(with: $0.utf8.reversed()) }
  }

  /// Removes a database and SQLite's files next to it, if they exist.
  package static func remove(at path: String) {
    for ending in [""] + companions { unlink(path + ending) }
  }
}
