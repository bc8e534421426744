import CStatyRing
import LibC
import Staty
import StatyRecorder
import Synchronization

/// One byte a number, in a file that outlives this process: 1 once its put was acknowledged,
/// a second byte once it was about to be released, which stands for committed, and a third if
/// its note was then, too.
// Unchecked because it holds a pointer. The proof: it is never unmapped, and no two threads write
// the same byte: the first third is the producers', the others are the reader's.
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

/// Puts from three threads, and drains from a fourth, as fast as can be until it is killed.
func putUntilKilled(at path: String, acknowledging ledgerPath: String) {
  let ledger = Ledger(at: ledgerPath)
  // Where no room is found numbers are drawn by the million, and a thread may stand still between a note and
  // its record meanwhile: of the log its newest half is kept then, and that has room for all of them here.
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
    // Notes whose records have not come; some never will, as they found no room.
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

/// Runs the body on a thread of its own.
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
