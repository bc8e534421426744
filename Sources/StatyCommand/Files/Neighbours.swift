import LibC
import StatyRecorder

/// What lies beside a history and belongs to it.
struct Neighbours {
  /// A ring, in which events wait to be brought into the history.
  struct Ring {
    let name: String
    /// The process that made it.
    let pid: Int32
    /// How many events wait in it.
    let waiting: Int
  }

  /// The bytes of the log; 0 if there is none.
  let logBytes: Int64
  /// The process that records at this moment.
  let recorder: LivingRecorder?
  /// The rings, that of a living recorder first.
  let rings: [Ring]
  /// Rings that could not be read, and why.
  let unreadable: [(name: String, reason: String)]

  /// - Parameter path: of the history, with links resolved.
  init(of path: String) {
    var status = stat()
    logBytes = lstat(path + "-wal", &status) == 0 ? Int64(status.st_size) : 0
    recorder = LivingRecorder(at: path)
    var rings: [Ring] = []
    var unreadable: [(name: String, reason: String)] = []
    for name in Self.ringNames(beside: path) {
      let directory = path.prefix(through: path.lastIndex(of: "/")!)
      do throws(RingError) {
        let ring = try FlightRing.peek(path: directory + name)
        rings.append(Ring(name: name, pid: ring.pid, waiting: ring.recordCount))
      } catch {
        unreadable.append((name, error.description))
      }
    }
    self.rings = rings
    self.unreadable = unreadable
  }

  /// The names of the ring of now, and of those that were moved aside by who came later.
  private static func ringNames(beside path: String) -> [String] {
    let cut = path.lastIndex(of: "/")!
    let ring = path[path.index(after: cut)...] + "-ring"
    guard let directory = opendir(String(path[...cut])) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == ring || name.hasPrefix(ring + "-") { names.append(name) }
    }
    return names.sorted()
  }
}
