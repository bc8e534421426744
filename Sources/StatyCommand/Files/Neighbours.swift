import LibC
import StatyHistory
import StatyRecorder

/// The files that belong to a history: its log and its rings.
struct Neighbours {
  /// A ring with events that the next start of a recorder imports.
  struct Ring {
    let name: String
    /// The process that made it.
    let pid: Int32
    /// The number of events in it.
    let waiting: Int
    /// Its session, how that ended, and whether its recorder was closed.
    let end: (session: String, ended: SessionEnd, isClosed: Bool)?

    /// Whether its process does not run any more: another one may have its number since.
    var isGone: Bool { pid > 0 && kill(pid, 0) != 0 && errno == ESRCH }

    /// Why its events are not in the file.
    var cause: String {
      if end?.isClosed == true { return "it was closed, but could not be written" }
      return end?.ended == .clean
        ? "its process exited before it was written" : "its process was killed"
    }
  }

  /// The bytes of the log; 0 if there is none.
  let logBytes: Int64
  /// The process that is recording now.
  let recorder: LivingRecorder?
  /// The rings, that of a living recorder first.
  let rings: [Ring]
  /// Rings that could not be read or recovered, and why.
  let unreadable: [(name: String, reason: String)]

  // A killed process leaves one ring. More than that may be an attack on the reader.
  private static let mostRings = 100

  /// - Parameter path: the path of the history, with links resolved.
  init(of path: String) {
    var status = stat()
    logBytes = lstat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    recorder = LivingRecorder(at: path)
    var rings: [Ring] = []
    var unreadable: [(name: String, reason: String)] = []
    let names = Self.ringNames(beside: path)
    var seen: Set<UInt64> = []
    for name in names.prefix(Self.mostRings) {
      // One file under several names counts once.
      let isOne = lstat(path.folder + name, &status) == 0
      if isOne, !seen.insert(UInt64(truncatingIfNeeded: status.st_ino)).inserted { continue }
      // It may be sound. But its session has ended, so that no launch imports its events.
      if name.utf8.starts(with: (path.lastComponent + HistoryFile.unreadableRingMark).utf8) {
        unreadable.append((name, "a launch could not recover it; its events count as lost"))
        continue
      }
      do throws(RingError) {
        let ring = try FlightRing.waiting(path: path.folder + name)
        let end = FlightRing.end(path: path.folder + name)
        rings.append(Ring(name: name, pid: ring.pid, waiting: ring.records, end: end))
      } catch {
        unreadable.append((name, error.description))
      }
    }
    if names.count > Self.mostRings {
      unreadable.append(("\(names.count - Self.mostRings) more", "no more are looked at"))
    }
    self.rings = rings
    self.unreadable = unreadable
  }

  /// The names of the current ring, and of rings that a later process moved aside.
  private static func ringNames(beside path: String) -> [String] {
    let name = path.lastComponent
    return (path.folder.namesInFolder ?? []).filter { other in
      other == name + HistoryFile.ringEnd
        || HistoryFile.ringMarks.contains { other.utf8.starts(with: (name + $0).utf8) }
    }
  }
}
