import Foundation
import StatyHistory

/// Where a history is or will be, and what stands there.
struct HistoryPlace: Sendable {
  let path: String

  /// The place that a path leads to, which may look like anything: it is a path and no address.
  init(_ path: String) throws(RecorderError) {
    let name = (path as NSString).lastPathComponent
    let directory = (path as NSString).deletingLastPathComponent
    let from = directory.hasPrefix("/") ? directory : currentDirectory(directory)
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: from, isDirectory: &isDirectory),
      isDirectory.boolValue, !name.isEmpty
    else { throw .directory(path: path, reason: "there is no such directory") }
    self.path = (from as NSString).appendingPathComponent(name)
  }

  /// The ring of whoever records here now.
  var ringPath: String { path + "-ring" }

  /// Looks at the file's first bytes: whether it is a history, and one that is known here.
  func checkHeader() throws(RecorderError) {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    let header: [UInt8]
    do {
      header = Array(try file.read(upToCount: 100) ?? Data())
    } catch {
      throw .system(path: path, doing: "reading", reason: "\(error)")
    }
    if header.isEmpty { return }
    guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notAHistory(path: path)
    }
    let application = number(at: 68, in: header)
    if application == 0, isUnfinished(pages: number(at: 28, in: header)) { return }
    guard application == UInt32(HistoryFile.applicationID) else {
      throw .notAHistory(path: path)
    }
    let version = Int(number(at: 60, in: header))
    guard version <= HistoryFile.schemaVersion else {
      throw .newer(path: path, version: version, known: HistoryFile.schemaVersion)
    }
  }

  /// Whether the file may be a history whose maker was killed before its first pages came out of
  /// the log: it is empty so far, or a log is there that says more.
  ///
  /// The writer, which reads the log, has the last word.
  private func isUnfinished(pages: UInt32) -> Bool {
    pages <= 1 || FileManager.default.fileExists(atPath: path + "-wal")
  }

  private func number(at place: Int, in header: [UInt8]) -> UInt32 {
    header[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Makes the ring, after moving those of dead processes out of the way.
  ///
  /// - Returns: the ring, and where the others are now.
  func makeRing(
    _ options: RecorderOptions
  ) throws(RecorderError) -> (FlightRing, leftovers: [String]) {
    let sizes = RingOptions(records: options.eventsPerThread)
    do {
      return (try FlightRing(creatingAt: ringPath, options: sizes), leftovers())
    } catch .leftover {
      let aside = ringPath + "-" + SessionMark.now().uuid
      guard rename(ringPath, aside) == 0 else {
        throw .system(
          path: ringPath, doing: "moving aside", reason: String(cString: strerror(errno)))
      }
      do {
        return (try FlightRing(creatingAt: ringPath, options: sizes), leftovers())
      } catch {
        throw RecorderError(error, path)
      }
    } catch {
      throw RecorderError(error, path)
    }
  }

  private func leftovers() -> [String] { Self.leftovers(of: path) }

  /// The rings of dead processes beside a history, moved aside by this one or by an earlier one
  /// that was killed before it had brought them in.
  static func leftovers(of path: String) -> [String] {
    let directory = (path as NSString).deletingLastPathComponent
    let prefix = (path as NSString).lastPathComponent + "-ring-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.sorted()
      .map { (directory as NSString).appendingPathComponent($0) }
  }
}

private func currentDirectory(_ directory: String) -> String {
  let current = FileManager.default.currentDirectoryPath
  return directory.isEmpty ? current : (current as NSString).appendingPathComponent(directory)
}

extension RecorderError {
  init(_ error: RingError, _ path: String) {
    switch error {
    case .inUse(let pid, _): self = .alreadyRecording(path: path, pid: pid ?? 0)
    case .missing, .notPermitted, .readOnly, .symbolicLink:
      self = .directory(path: path, reason: error.description)
    case .leftover, .notARing, .newer, .noRoom, .system:
      self = .system(path: path, doing: "recording into", reason: error.description)
    }
  }
}
