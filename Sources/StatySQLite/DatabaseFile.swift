import LibC

/// What SQLite makes of a file, and what it keeps beside it.
package enum DatabaseFile {
  /// What every database begins with.
  package static let mark = Array("SQLite format 3\0".utf8)

  /// How the names of the files end that SQLite may have beside a database.
  package static let companions = ["-wal", "-shm", "-journal"]

  /// Whether a file of this name is one of those.
  package static func isCompanion(_ name: String) -> Bool {
    companions.contains { name.utf8.reversed().starts(with: $0.utf8.reversed()) }
  }

  /// Removes a database and what SQLite has beside it, as far as they are there.
  package static func remove(at path: String) {
    for ending in [""] + companions { unlink(path + ending) }
  }
}
