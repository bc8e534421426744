import StatyHistory
import LibC
import StatySQLite

/// A copy of a history and its log in a directory that only the current user can read.
///
/// A file with pages in a log can be read only in a writable folder. A file from elsewhere may come
/// with other files that SQLite would obey: a journal, for example, can name files to delete. So
/// only the two files with data are copied. The copy is removed when its last reference ends.
final class PrivateCopy {
  /// The path of the copied history.
  let path: String
  private let directory: String
  private let files: [TemporaryFile]

  /// - Parameter hasLog: whether its log is copied, too.
  init(of history: String, hasLog: Bool = true) throws(HistoryError) {
    let parent = TemporaryFile.parent
    var template = Array("\(parent)/staty-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw .notCopied("making a directory in \(parent)", errno)
    }
    directory = String(cString: made)
    path = directory + "/history.sqlite"
    files = [TemporaryFile(folder: directory), TemporaryFile(database: path)]
    do throws(HistoryError) {
      try Self.copy(history, to: path)
      if hasLog, access(history + "-wal", F_OK) == 0 {
        try Self.copy(history + "-wal", to: path + "-wal")
      }
    } catch {
      remove()
      throw error
    }
  }

  deinit {
    remove()
  }

  private func remove() {
    DatabaseFile.remove(at: path)
    rmdir(directory)
    for file in files { file.forget() }
  }

  private static func copy(_ from: String, to: String) throws(HistoryError) {
    let source = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if source < 0, errno == ELOOP || errno == EMLINK { throw .noRegularFile }
    guard source >= 0 else { throw .notCopied("opening", errno) }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .noRegularFile
    }
    let target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw .notCopied("making a copy", errno) }
    defer { close(target) }
    try pour(source, into: target, Int64(status.st_size))
  }

  private static func pour(
    _ source: Int32, into target: Int32, _ length: Int64
  ) throws(HistoryError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var place: Int64 = 0
    while place < length {
      place = data(in: source, from: place, length)
      guard place < length else { break }
      let wanted = Int(min(Int64(buffer.count), length - place))
      let count = pread(source, &buffer, wanted, off_t(place))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .notCopied("reading", errno) }
      if count == 0 { break }
      // A hole stays a hole, even if the system does not report holes: a file may claim more than
      // the disk has.
      if !isZero(buffer, count) {
        try write(buffer[..<count], to: target, at: place)
      }
      place += Int64(count)
    }
    guard ftruncate(target, off_t(place)) == 0 else { throw .notCopied("writing the copy", errno) }
  }

  /// The place of the next data, if the system reports holes; the length if there is no more.
  private static func data(in source: Int32, from place: Int64, _ length: Int64) -> Int64 {
    #if os(Linux)
      // SEEK_DATA, which Glibc declares only among GNU's extensions.
      let found = Int64(lseek(source, off_t(place), 3))
      if found < 0 { return errno == ENXIO ? length : place }
      return min(max(found, place), length)
    #else
      // Apple's file systems have reported holes where there was data, which would be copied as
      // zeros.
      return place
    #endif
  }

  /// Whether the first bytes, at least one, are all zero.
  private static func isZero(_ buffer: [UInt8], _ count: Int) -> Bool {
    // Each byte is compared with the one before, which compares many at a time.
    buffer[0] == 0
      && buffer.withUnsafeBytes { memcmp($0.baseAddress!, $0.baseAddress! + 1, count - 1) == 0 }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, to target: Int32, at place: Int64
  ) throws(HistoryError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes {
        pwrite(target, $0.baseAddress! + done, bytes.count - done, off_t(place) + off_t(done))
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .notCopied("writing the copy", errno) }
      done += written
    }
  }
}

extension HistoryError {
  fileprivate static var noRegularFile: HistoryError {
    .damaged("its log is no regular file")
  }

  fileprivate static func notCopied(_ doing: String, _ code: Int32) -> HistoryError {
    .notCopied(doing: doing, reason: String(cString: strerror(code)))
  }
}
