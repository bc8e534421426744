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
  /// The number of batches that are read ahead.
  private static let most = 4
  private let worker: Worker
  private var isOver = false
  /// The error that stopped the reading, while earlier events are still taken.
  private var failure: HistoryError?

  init(_ reading: SessionEvents) {
    worker = Worker(reading)
    for _ in 0..<Self.most { worker.goOn() }
  }

  deinit { letGo() }

  /// The next events; none after the last.
  func next() throws(HistoryError) -> [RecordedEvent] {
    if let failure { throw failure }
    if isOver { return [] }
    let batch = worker.take()
    (isOver, failure) = (batch.isLast, batch.failure)
    if let failure, batch.events.isEmpty { throw failure }
    return batch.events
  }

  /// Stops the reading; when this returns, the thread reads nothing any more.
  func letGo() {
    isOver = true
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

  private let queue = DispatchQueue(label: "staty.events-ahead")
  // Unchecked: only the queue uses it, and does one thing at a time.
  private nonisolated(unsafe) var reading: SessionEvents?
  private let batches = Mutex<[Batch]>([])
  private let filled = DispatchSemaphore(value: 0)
  private let isStopped = Atomic(false)

  init(_ reading: SessionEvents) { self.reading = reading }

  /// Reads one more batch, unless the last was read.
  func goOn() {
    queue.async { [self] in
      if reading == nil || isStopped.load(ordering: .acquiring) { return }
      let batch = read()
      if batch.isLast { reading = nil }
      batches.withLock { $0.append(batch) }
      filled.signal()
    }
  }

  private func read() -> Batch {
    var batch = Batch()
    batch.events.reserveCapacity(Self.batchSize)
    do throws(HistoryError) {
      while batch.events.count < Self.batchSize, !batch.isLast {
        if let event = try reading?.nextEvent() {
          batch.events.append(event)
        } else {
          batch.isLast = true
        }
      }
    } catch {
      (batch.isLast, batch.failure) = (true, error)
    }
    return batch
  }

  func take() -> Batch {
    filled.wait()
    goOn()
    return batches.withLock { $0.removeFirst() }
  }

  /// Stops the reading; returns when the queue reads nothing any more.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    // The queue may release its work later, and a caller that closes the file before that would
    // find it in use.
    queue.sync { reading = nil }
  }
}
