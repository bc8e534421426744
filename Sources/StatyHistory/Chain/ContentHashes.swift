import Staty

/// What the numbers in rows stand for, as hashes, so that a row's hash is over its content.
///
/// Two files that say the same under other numbers have the same hashes: names and places count
/// with their texts, an event with its distance from the session's beginning, the events that it lies
/// in and is caused by with their distances from it, a controller with its name and its place among those of its session.
struct ContentHashes {
  var names = NumberedHashes()
  var sites = NumberedHashes()
  private var controllers = NumberedHashes()
  /// What the hash of a controller's `attached` event covers besides its row.
  private var attachments = NumberedHashes()

  /// Takes in a controller, the `ordinal`-th of its session from 0.
  mutating func add(_ controller: ControllerRecord, ordinal: Int) {
    let name = ContentHash.fold(ContentHash.text(controller.name), UInt64(ordinal))
    controllers.set(controller.id, to: max(1, name))
    let policy = ContentHash.fold(
      ContentHash.text(controller.policy),
      UInt64(controller.fidelity) | UInt64(controller.discipline) << 8)
    let attachment = ContentHash.fold(policy, ContentHash.text(controller.snapshot))
    attachments.set(controller.id, to: max(1, attachment))
  }

  /// The hash of what a controller is, whatever its number; 0 if it is not known.
  func controller(_ number: Int32) -> UInt64 { controllers[number] }

  /// The hash of a row in a session that begins with number `first`; none if the row holds a
  /// number that stands for nothing.
  @inline(__always)
  func hash(_ row: borrowing EventRow, first: Int64) -> UInt64? {
    let state = names[row.state]
    let isRequest = row.kind == EventKind.enqueued.rawValue
    let reference = isRequest ? sites[row.site] : UInt64(bitPattern: row.causeDistance)
    let controller = controllers[row.controller]
    guard (state == 0) == (row.state == 0), (controller == 0) == (row.controller == 0)
    else { return nil }
    if isRequest, (reference == 0) != (row.site == 0) { return nil }
    let when = ContentHash.fold(
      UInt64(bitPattern: row.seq &- first), UInt64(bitPattern: row.time))
    let what = ContentHash.fold(
      UInt64(row.marks) << 32 | UInt64(row.visit), UInt64(bitPattern: row.place))
    let whose = ContentHash.fold(state, ContentHash.fold(reference, controller))
    let hash = ContentHash.fold(ContentHash.fold(when, what), whose)
    guard row.kind == EventKind.attached.rawValue else { return hash }
    return ContentHash.fold(hash, attachments[row.controller])
  }

  /// The hash of a detail; none if it holds a number that stands for nothing.
  func hash(_ detail: EventDetail, first: Int64) -> UInt64? {
    var hash = ContentHash.fold(UInt64(bitPattern: detail.seq &- first), 1)
    for number in [detail.asked, detail.refusedFrom, detail.refusedNeeds] {
      let name = names[number]
      guard (name == 0) == (number == 0) else { return nil }
      hash = ContentHash.fold(hash, name)
    }
    hash = ContentHash.fold(hash, UInt64(detail.instance) << 32 | UInt64(detail.origin))
    hash = ContentHash.fold(hash, UInt64(UInt32(bitPattern: detail.priority)))
    hash = ContentHash.fold(hash, detail.equality.map(UInt64.init) ?? UInt64.max)
    hash = ContentHash.fold(hash, UInt64(detail.step))
    hash = ContentHash.fold(hash, UInt64(bitPattern: detail.age))
    hash = ContentHash.fold(hash, detail.answers)
    hash = ContentHash.fold(hash, UInt64(detail.objection) << 8 | UInt64(detail.refusal))
    hash = ContentHash.fold(hash, detail.note.map(ContentHash.text) ?? 0)
    return ContentHash.fold(
      hash, detail.payload.map { $0.withUnsafeBytes(ContentHash.bytes) } ?? 0)
  }
}
