import CStatyRing
import Foundation
import Staty
import StatyRecorder
import Testing

/// A directory that is removed after the test.
final class RingDirectory: Sendable {
  let path: String

  /// - Parameter inMemory: whether to use a file system in memory, if there is one.
  init(inMemory: Bool = false) throws {
    let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    var template = Array((parent + "/staty-ring-XXXXXX").utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String = "history.ring") -> String { path + "/" + name }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func bytes(_ name: String = "history.ring") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }

  func write(_ bytes: Data, _ name: String = "history.ring") throws {
    try bytes.write(to: URL(fileURLWithPath: file(name)))
  }

  /// A ring that is completely prepared.
  ///
  /// By default, each lane has one piece.
  func ring(
    lanes: Int = 4, pieces: Int? = nil, records: Int = 64, logBytes: Int = 4096
  ) throws -> FlightRing {
    let ring = try FlightRing(
      creatingAt: file(),
      options: RingOptions(
        lanes: lanes, pieces: pieces ?? lanes, records: records, logBytes: logBytes))
    try ring.makeReady()
    return ring
  }
}

func record(_ number: UInt64) -> RingRecord {
  var record = RingRecord()
  record.number = number
  record.time = number * 10
  record.controller = 1
  record.visit = UInt32(number)
  record.kind = 3
  return record
}

extension FlightRing {
  /// Numbers from the counter in the ring's file, as a recorder draws them.
  var numbering: Numbering { Numbering(counter: drawnCounter, owner: self) }

  func put(_ numbers: ClosedRange<UInt64>) -> [Outcome] {
    numbers.map { put(record($0)) }
  }
}

extension RecoveredRing {
  /// The undamaged records that were not released, sorted by number.
  func records() throws -> [RingRecord] {
    var all: [RingRecord] = []
    try forEachBatch { all += $0 }
    return all.sorted { $0.number < $1.number }
  }
}

extension RingReader {
  /// Drains and releases all records.
  func takeAll() -> [RingRecord] {
    var all: [RingRecord] = []
    while true {
      let batch = drain(upTo: 1000)
      if batch.isEmpty { return all }
      all += batch.records
      release(batch)
    }
  }
}

/// Runs the body on a new thread, and waits until the thread and its destructors have ended.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
  let joined = JoinableThread(body)
  return joined.join()
}

/// A thread with `join`, which `Thread` does not have.
// Unchecked: only the thread writes `value`, and it is read after the thread was joined.
final class JoinableThread<Value: Sendable>: @unchecked Sendable {
  private var value: Value?
  private var thread: pthread_t!
  private let body: @Sendable () -> Value

  init(_ body: @escaping @Sendable () -> Value) {
    self.body = body
    let work = Unmanaged.passRetained(Work { [unowned self] in self.value = self.body() })
    #if canImport(Darwin)
      var made: pthread_t?
      pthread_create(&made, nil, { runWork($0) }, work.toOpaque())
    #else
      var made = pthread_t()
      pthread_create(&made, nil, { runWork($0!) }, work.toOpaque())
    #endif
    thread = made
  }

  func join() -> Value {
    pthread_join(thread, nil)
    return value!
  }
}

private final class Work {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
}

private func runWork(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
  return nil
}

func ringError(
  _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> RingError {
  try #require(
    #expect(throws: RingError.self, sourceLocation: location) { try body() },
    sourceLocation: location)
}
