import LibC
import StatyHistory
import StatySQLite

/// What a file is, by its first bytes.
package enum FileHeader: Equatable {
  case empty
  case noDatabase
  /// The beginning of a database that ends within its header.
  case truncated
  /// An empty database: everything that was written is in its log.
  case begun
  /// A database of another application, with the number that it has.
  case foreign(application: UInt32)
  /// A history, with the number of its schema.
  case history(schema: Int)

  /// Reads the header without SQLite; none if that is not possible.
  init?(_ path: String) {
    guard let bytes = Self.bytes(of: path) else { return nil }
    self.init(beginning: bytes)
  }

  /// The header of a file; none if it cannot be read, with the reason in `errno`.
  static func bytes(of path: String, _ flags: Int32 = 0) -> ArraySlice<UInt8>? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, $0.count) }
    return bytes.prefix(max(0, count))
  }

  /// What a file is that begins with these bytes.
  package init(beginning bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.size))
    func number(at place: Int) -> UInt32 {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    if bytes.isEmpty {
      self = .empty
    } else if Self.isCut(bytes, of: Int64(bytes.count)) {
      self = .truncated
    } else if bytes.count < Self.size || !bytes.starts(with: DatabaseFile.mark) {
      self = .noDatabase
    } else if number(at: 68) == UInt32(HistoryFile.applicationID) {
      self = .history(schema: Int(number(at: 60)))
    } else if number(at: 68) == 0, number(at: 40) == 0, bytes[18...19] == [2, 2] {
      // No application has marked it, no schema was ever changed, and it has a log.
      self = .begun
    } else {
      self = .foreign(application: number(at: 68))
    }
  }
}

extension FileHeader {
  /// How long a database's header is.
  static let size = 100

  /// How long a database is that begins with these bytes, as it says itself; none if it does not.
  static func length(_ beginning: ArraySlice<UInt8>) -> Int64? {
    let bytes = Array(beginning)
    guard bytes.count >= size, bytes[24..<28] == bytes[92..<96] else { return nil }
    func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 << 8 | Int64($1) } }
    return max(number(16..<18), 512) * number(28..<32)
  }

  /// Whether a file that begins with these bytes is a database that was cut off in its header.
  ///
  /// - Parameter size: how long the file is.
  static func isCut(_ beginning: some Collection<UInt8>, of size: Int64) -> Bool {
    let mark = DatabaseFile.mark.prefix(beginning.count)
    // A shorter match could be the beginning of any file.
    return size < Self.size && mark.count >= 6 && beginning.starts(with: mark)
  }
}
