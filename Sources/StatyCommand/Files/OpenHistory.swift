import LibC
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatySQLite

/// A history from the command line, open for reading.
struct OpenHistory {
  /// The path as it was given.
  let path: String
  /// The path of the file, with links resolved.
  let real: String
  /// What reads it.
  let reader: HistoryReader
  /// The process that is recording into it, if there is one.
  let recorder: LivingRecorder?
  private let progress: ProgressLine?

  /// The name of the file in messages.
  var called: String { path.visible }

  /// Opens the history at `path`: as a live file if a process of the same user records into it, or
  /// else as a file from any source.
  ///
  /// - Parameter progress: where the progress of a long reading is shown.
  init(_ path: String, progress: ProgressLine? = nil) throws(Failure) {
    self.path = path
    self.progress = progress
    let doing = "Opening '\(path)'"
    let (real, size) = try Self.resolved(path, doing: doing)
    try Self.checkBeginning(of: real, size: size, doing)
    self.real = real
    recorder = LivingRecorder(at: real)
    do throws(HistoryError) {
      reader =
        recorder == nil
        ? try HistoryReader(receivedAt: real)
        : try HistoryReader(liveAt: real)
    } catch {
      throw Failure(error, doing: doing)
    }
  }

  /// The file that a path leads to, with links resolved.
  ///
  /// Fails unless it is a regular file that may be read, whatever its content.
  static func resolved(
    _ path: String, doing: String
  ) throws(Failure) -> (real: String, bytes: Int64) {
    guard !path.isEmpty, let real = path.resolvedPath else {
      let code = path.isEmpty ? ENOENT : errno
      if !path.isEmpty, code == ENOENT, access(path + HistoryFile.ringEnd, F_OK) == 0 {
        throw Failure(
          status: .noInput, message: "\(doing): there is no such file yet.",
          advice: "The recorder has not written it. Its events are in "
            + "'\(path.lastComponent)\(HistoryFile.ringEnd)': if the app was killed, start it again, and its "
            + "recorder stores them.")
      }
      throw missing(code, doing)
    }
    var status = stat()
    guard stat(real, &status) == 0 else { throw missing(errno, doing) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw Failure(
        status: .badData, message: "\(doing): it is a directory.",
        advice: "Name the files in it, as in '\(path)\(path.hasSuffix("/") ? "" : "/")*.sqlite'.")
    default:
      throw Failure(
        status: .badData, message: "\(doing): it is no regular file.",
        advice: "Save what comes out of it into a file first.")
    }
    guard access(real, R_OK) == 0 else { throw missing(errno, doing) }
    return (real, Int64(status.st_size))
  }

  private static func missing(_ code: Int32, _ doing: String) -> Failure {
    switch code {
    case ENOENT, ENOTDIR:
      Failure(
        status: .noInput, message: "\(doing): there is no such file.", advice: "Check the path.")
    case EACCES, EPERM:
      Failure(
        status: .noInput, message: "\(doing): you are not allowed to read it.",
        advice: "Ask its owner, or change its permissions.")
    case EILSEQ:
      Failure(
        status: .noInput,
        message: "\(doing): its name, or that of a folder on the way to it, is not UTF-8.",
        advice: "Rename it, or copy the file to another folder.")
    default:
      Failure(
        status: .noInput, message: "\(doing): \(String(cString: strerror(code))).",
        advice: "Check the path.")
    }
  }

  /// Refuses a file that is no database before SQLite opens it, because SQLite would notice that
  /// only later.
  private static func checkBeginning(
    of path: String, size: Int64, _ doing: String
  ) throws(Failure) {
    // Its first pages may still be in its log, which is read when the file is opened.
    if size == 0 { return }
    guard let bytes = FileHeader.bytes(of: path) else { throw missing(errno, doing) }
    guard !FileHeader.isCut(bytes, of: size) else {
      throw Failure(
        status: .badData,
        message: "\(doing): it is truncated: only \(Decimal.count(size, "byte")) of a database are "
          + "left.",
        advice: "Take another copy from where it was recorded.")
    }
    if FlightRing.isRing(beginning: bytes) {
      throw Failure(
        status: .badData, message: "\(doing): it is the ring of a recorder, and not its history.",
        advice: "Start the app again: its recorder stores the events of the ring in the history.")
    }
    guard bytes.starts(with: DatabaseFile.mark) else {
      throw Failure(
        status: .badData, message: "\(doing): it is not a history.",
        advice: "Choose a file that a recorder of Staty has written.")
    }
    // The rest may still be in its log.
    if let whole = FileHeader.length(bytes), size < whole, access(path + "-wal", F_OK) != 0 {
      throw Failure(
        status: .badData,
        message: "\(doing): it is cut: only \(Decimal.count(size, "byte")) of "
          + "\(Decimal.grouped(whole)) are left.",
        advice: Failure.damageAdvice)
    }
    if FileHeader(beginning: bytes) == .begun, access(path + "-wal", F_OK) != 0 {
      let name = path.lastComponent
      throw Failure(
        status: .badData, message: "\(doing): it is a database with nothing in it yet.",
        advice: "If a recorder made it, what it recorded is in '\(name)-wal' and '\(name)-ring', "
          + "which were next to it: copy those, too.")
    }
  }
}

extension OpenHistory {
  /// Closes the file, so that it can be written.
  func letGo() throws(Failure) {
    do throws(HistoryError) {
      try reader.close()
    } catch {
      throw Failure(error, doing: "Closing '\(path)'")
    }
  }

  /// Does something with one state of the file; a failure says what was being done.
  func doing<Result>(
    _ what: String, _ body: (HistoryReader) throws -> Result
  ) throws -> Result {
    try saying(what) { reader in try reader.consistently { try body(reader) } }
  }

  /// The same as ``doing(_:_:)``, but later changes are visible.
  ///
  /// Use it for long work: a recorder cannot empty its log while a reader keeps one state.
  func saying<Result>(
    _ what: String, _ body: (HistoryReader) throws -> Result
  ) throws -> Result {
    progress?.watch(reader, doing: "\(what) '\(called)'")
    do {
      return try body(reader)
    } catch  where error is SinkError || error is UsageError {
      throw error
    } catch {
      throw Failure(error, doing: "\(what) '\(path)'")
    }
  }
}
