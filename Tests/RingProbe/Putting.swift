import CStatyRing
import LibC
import Staty
import StatyRecorder
import Synchronization

/// Three bytes for each number, in a file: whether its put has returned, whether it was committed (the reader is
/// about to release it), and whether its note was committed.
// Unchecked because it contains a pointer. The proof: it is never unmapped, and no two threads write the same
// byte: producers write the first third, the reader writes the rest.
struct Ledger: @unchecked Sendable {
  static let capacity = 1 << 22
  private let bytes: UnsafeMutableRawPointer

  init(at path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard ftruncate(descriptor, off_t(3 * Self.capacity)) == 0,
      let mapped = mmap(
        nil, 3 * Self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    else { exit(1) }
    bytes = mapped
  }

  func acknowledge(_ number: UInt64) {
    bytes.storeBytes(of: 1, toByteOffset: Int(number), as: UInt8.self)
  }

  func commit(_ number: UInt64) {
    bytes.storeBytes(of: 1, toByteOffset: Self.capacity + Int(number), as: UInt8.self)
  }

  func commitNote(of number: UInt64) {
    bytes.storeBytes(of: 1, toByteOffset: 2 * Self.capacity + Int(number), as: UInt8.self)
  }
}

/// Puts records in three threads and drains them in a fourth, as fast as possible, until it is killed.
func putUntilKilled(at path: String, acknowledging ledgerPath: String) {
  let ledger = Ledger(at: ledgerPath)
  // While the ring is full, millions of numbers are drawn, and a thread may be stopped between a note and its
  // record. The reader keeps the newest half of the log, so here half of the log has room for all notes.
  guard
    let ring = try? FlightRing(
      creatingAt: path, options: RingOptions(lanes: 5, pieces: 12, records: 256, logBytes: 1 << 23))
  else { exit(1) }
  do { try ring.makeReady() } catch { exit(1) }
  let numbering = Numbering(counter: ring.drawnCounter, owner: ring)
  for _ in 0..<3 {
    start {
      while true {
        let number = numbering.next()
        if number >= Ledger.capacity { break }
        var record = RingRecord()
        record.number = number
        record.time = number &* 3
        record.visit = UInt32(truncatingIfNeeded: number)
        if number % 64 == 0, ring.note(Array("\(number)".utf8), kind: 1, id: number) {
          record.flags = 1
        }
        if ring.put(record) == .stored { ledger.acknowledge(number) }
      }
    }
  }
  start {
    let reader = RingReader(of: ring)
    // Notes whose records were not drained yet. Some never will be, because they were dropped.
    var awaited: Set<UInt64> = []
    while true {
      let batch = reader.drain(upTo: 512)
      awaited.formUnion(batch.entries.map(\.id))
      for record in batch.records {
        if record.flags != 0, awaited.remove(record.number) != nil {
          ledger.commitNote(of: record.number)
        }
        ledger.commit(record.number)
      }
      reader.release(batch, keepingNotes: !awaited.isEmpty)
      if batch.isEmpty { reader.park(atMost: .milliseconds(100)) }
    }
  }
  say("ready")
  while true { pause() }
}

/// Runs the body on a new thread.
private func start(_ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    pthread_create(&thread, nil, { run($0) }, work)
  #else
    var thread = pthread_t()
    pthread_create(&thread, nil, { run($0!) }, work)
  #endif

  @Sendable func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
    return nil
  }
}
