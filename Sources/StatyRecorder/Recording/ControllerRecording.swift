import CStatyRing
import Staty
import StatyHistory

/// Puts the events of one controller into the ring.
///
/// It is the controller's observer and lives where the controller lives; what it calls of the
/// core may be called from anywhere.
final class ControllerRecording: TransitionObserver {
  let core: RecorderCore
  private let controller: UInt32
  // The source holds this object and calls it. The recorder calls only `begin` and `end`, while it holds
  // the source. `deinit` does not use the source.
  private unowned(unsafe) let source: EventSource
  // Unchecked: used in the controller's isolation only, and no access lasts while other code runs.
  @exclusivity(unchecked) private var notedNames = NumberSet()
  /// The name that was noted last; most controllers have few, and this is found without a look.
  @exclusivity(unchecked) private var lastName: UInt32 = 0
  @exclusivity(unchecked) private var sites = SiteCache()
  private var hasEnded = false
  /// What has to be noted before the first event; tried again with the next one if it could not be.
  private var introduction: Note?
  @exclusivity(unchecked) private var isIntroduced = false

  init(core: RecorderCore, source: EventSource) {
    self.core = core
    self.source = source
    controller = core.nextController()
  }

  deinit {
    end()
  }

  /// Says where the controller stands, and that its recording begins here.
  func begin(as name: String) {
    let snapshot = source.snapshot
    introduction = .controller(
      number: controller, name: name.cutAsName, policy: snapshot.policy.description.cutAsName,
      discipline: snapshot.discipline.rawValue, fidelity: snapshot.fidelity.rawValue,
      snapshot: SnapshotRecord(snapshot).text)
    putBoundary(.attached)
    for (request, reason) in snapshot.standing.stood { putStood(request, reason) }
  }

  /// Says how far a visit was when recording began.
  private func putStood(_ request: Request, _ reason: EventReason) {
    let event = TransitionEvent(
      number: core.numbering.next(), inside: core.numbering.place, time: EventSource.clock,
      kind: .stood, visit: request.visit, state: request.state)
    guard isIntroduced || introduce() else { return core.dropUnnoted() }
    let state = number(of: request.state)
    if state == 0 { return core.dropUnnoted() }
    var record = record(event, state)
    record.reason = reason.code
    if request.priority != 0 {
      var noted = NotedDetail()
      noted.priority = request.priority
      guard note(.detail(event: event.number, noted), &record) else { return core.dropUnnoted() }
    }
    core.put(record)
  }

  /// Says that the controller's recording ends here; does nothing the second time.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    putBoundary(.detached)
  }

  private func putBoundary(_ kind: TransitionEvent.Kind) {
    observe(
      TransitionEvent(
        number: core.numbering.next(), inside: core.numbering.place, time: EventSource.clock,
        kind: kind))
  }

  /// Notes what the controller is, before its first event.
  private func introduce() -> Bool {
    guard let note = introduction, core.note(note) else { return false }
    introduction = nil
    isIntroduced = true
    return true
  }

  func observe(_ event: borrowing TransitionEvent) {
    guard isIntroduced || introduce() else { return core.dropUnnoted() }
    var state: UInt32 = 0
    if let name = event.state {
      state = number(of: name)
      if state == 0 { return core.dropUnnoted() }
    }
    switch event.kind {
    case .entering, .entered, .exiting, .exited:
      // Four of five events have nothing else. The record is made at once and never changed, so that it goes
      // into the ring from registers.
      core.put(record(event, state))
    default:
      putDescribed(event, state)
    }
  }

  @inline(never)
  private func putDescribed(_ event: borrowing TransitionEvent, _ state: UInt32) {
    var record = record(event, state)
    if describe(event, &record) { core.put(record) } else { core.dropUnnoted() }
  }

  @inline(__always)
  private func record(_ event: borrowing TransitionEvent, _ state: UInt32) -> staty_record {
    let place = RecordedPlace(of: event.number, inside: event.inside)
    return staty_record(
      number: event.number, time: event.time, inside: place.distance,
      cause: RecordedPlace.distance(event.number, event.ownCause), controller: controller,
      visit: event.visit?.rawValue ?? 0, state: state, instance: event.instance?.rawValue ?? 0,
      origin: 0, site: 0, kind: event.kind.rawValue, reason: 0, flags: place.flags, thread: 0,
      check: 0)
  }

  /// Puts in what the event says beyond its visit.
  ///
  /// - Returns: whether it could be noted. Without it the event would say something else.
  private func describe(
    _ event: borrowing TransitionEvent, _ record: inout staty_record
  ) -> Bool {
    switch event.detail {
    case .request(let detail):
      record.origin = detail.origin?.rawValue ?? 0
      record.site = number(of: detail.site)
      if let noted = NotedDetail(detail, instance: event.instance, number: number(of:)) {
        guard note(.detail(event: event.number, noted), &record) else { return false }
      }
      if detail.hasPayload, core.options.recordsPayloads, let visit = event.visit,
        let payload = source.payload(of: visit)
      {
        note(payload, event.number, &record)
      }
    case .discard(.rejected(let refusal)):
      record.reason = EventReason.rejected.code
      let noted = NotedDetail(refusal, number: number(of:))
      guard note(.detail(event: event.number, noted), &record) else { return false }
    case .step(let step):
      record.instance = step
    case .message(let hasPayload):
      if hasPayload, core.options.recordsPayloads,
        let payload = source.payload(ofMessage: event.number)
      {
        note(payload, event.number, &record)
      }
    case .none, .discard, .completion, .cancellation, .deadline, .change:
      record.reason = EventReason(event.detail)?.code ?? 0
    }
    return true
  }

  private func note(_ note: Note, _ record: inout staty_record) -> Bool {
    guard core.note(note) else { return false }
    record.flags |= UInt16(STATY_RECORD_HAS_DETAILS)
    return true
  }

  /// Notes a payload or, when there is little room left, that there was one: the room is for events.
  private func note(_ payload: StatePayload, _ number: UInt64, _ record: inout staty_record) {
    if !core.ring.isCrowded(adding: 0) {
      let text = text(of: payload)
      if !core.ring.isCrowded(adding: text.utf8.count),
        note(.payload(event: number, text: text), &record)
      {
        return
      }
    }
    record.flags |= UInt16(STATY_RECORD_PAYLOAD_LEFT_OUT)
    core.ring.countPayloadLeftOut()
  }

  /// What may be stored of a payload.
  ///
  /// Nothing else of it leaves this function.
  private func text(of payload: StatePayload) -> String {
    switch payload {
    case .open(let text): text.cutAsPayload(toBytes: core.options.mostPayloadBytes)
    case .hashed(let text): "hash:" + core.hash(text)
    case .omitted: "omitted"
    }
  }

  /// The number of a name, from 1; 0 if it could not be noted.
  @inline(__always)
  private func number(of name: StateName) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: name.id) &+ 1
    if number == lastName || notedNames.contains(number) { return number }
    return note(name, number)
  }

  @inline(never)
  private func note(_ name: StateName, _ number: UInt32) -> UInt32 {
    guard core.note(.name(number: number, text: name.description.cutAsName)) else { return 0 }
    notedNames.insert(number)
    lastName = number
    return number
  }

  /// The number of a place in the code; 0 if it is not known.
  private func number(of site: RequestSite?) -> UInt32 {
    guard let site else { return 0 }
    return sites.number(of: site) { core.number(of: site) }
  }
}
