internal import Staty
package import StatyHistory
import StatyReading

/// The events of a session in order, each with its details; the next one is always known.
package struct RecordedEvents {
  private let batches: EventBatches
  private var batch = EventBatch()
  /// The places in the batch of the event behind the next one, and of the next detail.
  private var (place, detailPlace) = (0, 0)
  private var nextLoss = 0
  private var reach: LossReach
  /// The next event; none after the last.
  package private(set) var next: RecordedEvent?
  /// The first loss before the next event that may affect its controller; `nil` if there is none.
  private(set) var missed: LossRecord?

  /// - Parameters:
  ///   - first: the number to begin with; by default the first.
  ///   - last: the number to end with.
  ///   - isTimed: whether their times are wanted.
  ///   - isAhead: whether a thread may read ahead; then nothing else may use the reader before
  ///     ``letGo()``.
  package init(
    _ reader: HistoryReader, session: Int64, from first: Int64? = nil, through last: Int64?,
    isTimed: Bool = true, isAhead: Bool = false
  ) throws(HistoryError) {
    batches = try EventBatches(
      reader, session: reader.session(session), from: first, through: last, isTimed: isTimed,
      isAhead: isAhead)
    reach = LossReach(batches.losses)
    try advance()
  }

  /// Advances to the next event.
  package mutating func advance() throws(HistoryError) {
    if place == batch.rows.count {
      batch = try batches.next() ?? EventBatch()
      (place, detailPlace) = (0, 0)
    }
    guard place < batch.rows.count else {
      (next, missed) = (nil, nil)
      return
    }
    let row = batch.rows[place]
    place += 1
    // Not by one optional detail: it is large, and few events have one.
    if detailPlace < batch.details.count, batch.details[detailPlace].seq == row.seq {
      next = RecordedEvent(row: row, detail: batch.details[detailPlace])
      detailPlace += 1
    } else {
      next = RecordedEvent(row: row)
    }
    missed = reach.take(row)
  }

  /// Stops reading: the reader can be used for something else.
  package func letGo() { batches.letGo() }

  /// Whether a loss lies before the next event, or after the last.
  var hasLoss: Bool {
    nextLoss < batches.losses.count
      && batches.losses[nextLoss].firstSeq < next?.row.seq ?? Int64.max
  }

  /// Takes the loss that lies before the next event, if one does; `nil` if none is left there.
  package mutating func takeLoss() -> LossRecord? {
    guard hasLoss else { return nil }
    defer { nextLoss += 1 }
    return batches.losses[nextLoss]
  }

  /// The first loss that may affect a controller, after the last event; `nil` if there is none.
  ///
  /// - Parameter isWhole: whether these are all events of the session. If not, a controller that was
  ///   not attached by now does not matter.
  func loss(of controller: Int32, isWhole: Bool) -> LossRecord? {
    isWhole || reach.hasBegun(controller) ? reach.loss(of: controller) : nil
  }
}

/// One event of a recording, with its details.
package struct RecordedEvent: Sendable {
  package let row: EventRow
  package let kind: EventKind?
  private let boxed: Boxed?

  // In a box, because few events have details and all are copied several times: copying an empty
  // value costs more than the row.
  private final class Boxed: Sendable {
    let detail: EventDetail
    init(_ detail: EventDetail) { self.detail = detail }
  }

  init(row: EventRow) {
    self.row = row
    boxed = nil
    kind = EventKind(rawValue: row.kind)
  }

  init(row: EventRow, detail: EventDetail?) {
    self.row = row
    boxed = detail.map(Boxed.init)
    kind = EventKind(rawValue: row.kind)
  }

  /// What the event has besides its row.
  package var detail: EventDetail? { boxed?.detail }

  /// The first visit of the object that was requested.
  var instance: UInt32 {
    guard let instance = detail?.instance, instance != 0 else { return row.visit }
    return instance
  }

  /// The recorded payload of the state, as text.
  var payload: String? {
    detail?.payload.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The state names of a file, each interned once.
struct RecordedNames {
  private var dense: [StateName?] = []
  // For the numbers of a file that was made to need much memory.
  private var sparse: [Int32: StateName] = [:]
  private static let denseLimit = 1 << 20

  init(_ texts: [Int32: String]) {
    let most = texts.keys.filter { $0 < Self.denseLimit }.max() ?? 0
    dense = Array(repeating: nil, count: Int(max(most, 0)) + 1)
    // In order. Otherwise chance would choose between two names that are equal in Swift, such as an
    // accented letter and its two-part spelling.
    for (number, text) in texts.sorted(by: { $0.key < $1.key }) where number > 0 {
      if number < dense.count {
        dense[Int(number)] = StateName(text)
      } else {
        sparse[number] = StateName(text)
      }
    }
  }

  subscript(number: Int32) -> StateName? {
    guard number > 0 else { return nil }
    return number < dense.count ? dense[Int(number)] : sparse[number]
  }
}
