import Dispatch
import StatyHistory
import Synchronization

/// Reads the events of a long session ahead on a thread of its own.
///
/// Reading a row takes longer than replaying it, so both run at once. Until ``letGo()`` returns,
/// nothing else may use the reader.
final class EventsAhead {
  /// With fewer events a thread is not worthwhile.
  static let fewest: Int64 = 1 << 16
  private let worker: Worker
  private var isAtEnd = false
  /// The error that stopped the reading, while earlier events are still taken.
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

  /// Stops the reading; when this returns, the thread reads nothing any more.
  func letGo() {
    if isLetGo { return }
    isLetGo = true
    worker.stop()
  }
}

/// Some consecutive events.
private struct Batch {
  var events: [RecordedEvent] = []
  var isLast = false
  /// The error that stopped the reading.
  var failure: HistoryError?
}

/// The work of the other thread, and what both threads share.
private final class Worker: Sendable {
  private static let batchSize = 1_024
  /// The number of batches that are read ahead.
  private static let most = 4

  // Unchecked: only the one thread uses it, and releases it before it signals its end.
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
    // Here, not when the thread releases its worker: a caller that closes the file before that
    // would find it in use.
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

  /// Stops the reading; returns when the thread reads nothing any more.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    room.signal()
    ended.wait()
  }
}
