package import StatyHistory
import Dispatch
import Synchronization

/// Some consecutive events of a session, and the details that some of them have.
package struct EventBatch: Sendable {
  package fileprivate(set) var rows: [EventRow] = []
  /// In the order of their events.
  package fileprivate(set) var details: [EventDetail] = []

  package init() {}

  /// Gives the events to a follower, with the losses that lie before them.
  ///
  /// - Parameter losses: those that were not given yet.
  func give(
    to follower: inout some SessionFollower, _ losses: inout ArraySlice<LossRecord>
  ) {
    var nextLoss = losses.first?.firstSeq ?? .max
    var details = details.makeIterator()
    var detail = details.next()
    for row in rows {
      while nextLoss < row.seq, let loss = losses.popFirst() {
        follower.lose(loss)
        nextLoss = losses.first?.firstSeq ?? .max
      }
      if detail?.seq == row.seq {
        follower.take(row, detail)
        detail = details.next()
      } else {
        follower.take(row, nil)
      }
    }
  }
}

/// Reads the events of a session in batches; those of a long session ahead, on a thread of its own.
///
/// Reading a row takes longer than most things that are done with it, so both run at once. Until
/// ``letGo()`` returns, nothing else may use the reader.
package final class EventBatches {
  /// With fewer events a thread is not worthwhile.
  private static let fewest: Int64 = 1 << 16
  /// The number of batches that are read ahead.
  private static let most = 4
  /// The losses in the range that it reads.
  package let losses: [LossRecord]
  private let worker: Worker
  private let isAhead: Bool
  private var isOver = false
  /// The error that stopped the reading, while earlier events are still taken.
  private var failure: HistoryError?

  /// - Parameters:
  ///   - first: the number to begin with.
  ///   - last: the number to end with.
  ///   - isTimed: whether times are read; otherwise they are 0.
  ///   - isAhead: whether a thread may read ahead.
  package init(
    _ reader: HistoryReader, session: SessionRecord, from first: Int64? = nil,
    through last: Int64? = nil, isTimed: Bool = true, isAhead: Bool
  ) throws(HistoryError) {
    let events = try SessionEvents(
      reader, session: session, from: first, through: last, isTimed: isTimed)
    losses = events.losses
    worker = Worker(events)
    self.isAhead = isAhead && session.stored >= Self.fewest
    if self.isAhead { for _ in 0..<Self.most { worker.goOn() } }
  }

  deinit { letGo() }

  /// The next events, at least one; none after the last.
  package func next() throws(HistoryError) -> EventBatch? {
    if let failure { throw failure }
    if isOver { return nil }
    let reading = isAhead ? worker.take() : worker.read()
    (isOver, failure) = (reading.isLast, reading.failure)
    if !reading.batch.rows.isEmpty { return reading.batch }
    if let failure { throw failure }
    return nil
  }

  /// Stops the reading; when this returns, the thread reads nothing any more.
  package func letGo() {
    isOver = true
    worker.stop()
  }
}

/// A batch as it was read.
private struct Reading {
  var batch = EventBatch()
  var isLast = false
  /// The error that stopped the reading.
  var failure: HistoryError?
}

/// What reads, on this thread or on another, and what both threads share.
private final class Worker: Sendable {
  private static let batchSize = 1_024

  private let queue = DispatchQueue(label: "staty.events-ahead")
  // Unchecked: only the queue uses it, or only the caller, and does one thing at a time.
  private nonisolated(unsafe) var events: SessionEvents?
  private let readings = Mutex<[Reading]>([])
  private let filled = DispatchSemaphore(value: 0)
  private let isStopped = Atomic(false)

  init(_ events: SessionEvents) { self.events = events }

  /// Reads one more batch, unless the last was read.
  func goOn() {
    queue.async { [self] in
      if events == nil || isStopped.load(ordering: .acquiring) { return }
      let reading = read()
      readings.withLock { $0.append(reading) }
      filled.signal()
    }
  }

  func read() -> Reading {
    // A local copy during the loop, so that it stays in registers.
    guard var events else { return Reading(isLast: true) }
    self.events = nil
    var reading = Reading()
    reading.batch.rows.reserveCapacity(Self.batchSize)
    do throws(HistoryError) {
      while reading.batch.rows.count < Self.batchSize, !reading.isLast {
        if let row = try events.next() {
          reading.batch.rows.append(row)
          if let detail = events.detail { reading.batch.details.append(detail) }
        } else {
          reading.isLast = true
        }
      }
    } catch {
      (reading.isLast, reading.failure) = (true, error)
    }
    if !reading.isLast { self.events = events }
    return reading
  }

  func take() -> Reading {
    filled.wait()
    goOn()
    return readings.withLock { $0.removeFirst() }
  }

  /// Stops the reading; returns when the queue reads nothing any more.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    // The queue may release its work later, and a caller that closes the file before that would
    // find it in use.
    queue.sync { events = nil }
  }
}
