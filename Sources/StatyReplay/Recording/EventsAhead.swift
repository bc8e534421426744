import Dispatch
import StatyHistory
import Synchronization

/// Reads the events of a long session ahead, in a thread of its own.
///
/// To read a row takes longer than to replay it, so both are done at once. Until it is let go nobody
/// else may use what the events are read from.
final class EventsAhead {
  /// Of fewer events it is not worth a thread.
  static let fewest: Int64 = 1 << 16
  private let worker: Worker
  private var isAtEnd = false
  /// What stopped the reading, while the events before it are taken.
  private var failure: HistoryError?
  private var isLetGo = false

  init(_ reading: SessionEvents) {
    worker = Worker(reading)
    DispatchQueue(label: "staty.events-ahead").async { [worker] in worker.run() }
  }

  deinit { letGo() }

  /// The next events; none after the last.
  func next() throws(HistoryError) -> [RecordedEvent] {
    if let failure { throw failure }
    if isAtEnd || isLetGo { return [] }
    let batch = worker.take()
    (isAtEnd, failure) = (batch.isLast, batch.failure)
    if let failure, batch.events.isEmpty { throw failure }
    return batch.events
  }

  /// Nothing is read any longer when this returns.
  func letGo() {
    if isLetGo { return }
    isLetGo = true
    worker.stop()
  }
}

/// Some events that follow each other.
private struct Batch {
  var events: [RecordedEvent] = []
  var isLast = false
  /// What stopped the reading.
  var failure: HistoryError?
}

/// What is done in the other thread, and what both have in common.
private final class Worker: Sendable {
  private static let batchSize = 1_024
  /// So many batches lie ready.
  private static let most = 4

  // Unchecked: the one thread alone goes on in it, and lets go of it before it says that it ended.
  private nonisolated(unsafe) var reading: SessionEvents?
  private let batches = Mutex<[Batch]>([])
  private let isStopped = Atomic(false)
  private let filled = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ reading: SessionEvents) {
    self.reading = reading
    for _ in 0..<Self.most { room.signal() }
  }

  func run() {
    var isLast = false
    while !isLast {
      room.wait()
      if isStopped.load(ordering: .acquiring) { break }
      let batch = read()
      isLast = batch.isLast
      batches.withLock { $0.append(batch) }
      filled.signal()
    }
    // Not when the thread lets go of this: who closes the file by then would find it in use.
    reading = nil
    ended.signal()
  }

  private func read() -> Batch {
    var batch = Batch()
    batch.events.reserveCapacity(Self.batchSize)
    do throws(HistoryError) {
      while batch.events.count < Self.batchSize {
        guard let event = try reading?.nextEvent() else {
          batch.isLast = true
          break
        }
        batch.events.append(event)
      }
    } catch {
      (batch.isLast, batch.failure) = (true, error)
    }
    return batch
  }

  func take() -> Batch {
    filled.wait()
    defer { room.signal() }
    return batches.withLock { $0.removeFirst() }
  }

  /// Nobody wants any more of it; returns when the thread reads nothing any longer.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    room.signal()
    ended.wait()
  }
}
