import CStatyRing
import Staty
import StatyHistory
import Synchronization

/// Observes one controller and puts its events into the ring.
///
/// It is used only in the controller's isolation.
final class ControllerRecording: EventRecorder {
  let core: RecorderCore
  /// Its number in the ring; another one after a loss.
  @exclusivity(unchecked) private var controller: UInt32
  private var name = ""
  /// The mark of the last loss that it has begun anew for.
  @exclusivity(unchecked) private var knownLoss: UInt32
  /// When it last began anew.
  @exclusivity(unchecked) private var begunAnew: UInt64 = 0
  /// Where events are lost all the time, or a controller has many open visits, snapshots would take the room
  /// of events.
  private static let pauseBetweenBeginnings: UInt64 = 1_000_000_000
  private static let mostOpenVisits = 64
  // The source retains this object, and is alive whenever it calls it. The recorder calls only `begin` and
  // `end`, while it retains the source. `deinit` does not use the source.
  private unowned(unsafe) let source: EventSource
  // Exclusivity is not checked, because checks are slow. It holds: all access is in the controller's
  // isolation, and no access lasts while other code runs.
  @exclusivity(unchecked) private var notedNames = NumberSet()
  /// The name that was used last.
  ///
  /// This saves most look-ups in `notedNames`.
  @exclusivity(unchecked) private var lastName: UInt32 = 0
  @exclusivity(unchecked) private var sites = SiteCache()
  private var hasEnded = false
  /// The note that introduces the controller.
  ///
  /// It is written before the first event; after a failure, before the next one.
  private var introduction: Note?
  @exclusivity(unchecked) private var isIntroduced = false

  init(core: RecorderCore, source: EventSource) {
    self.core = core
    self.source = source
    controller = core.nextController()
    knownLoss = core.lossMark.load(ordering: .relaxed)
  }

  deinit {
    end()
  }

  /// Records `attached` with a snapshot of the controller, and `stood` for each open visit.
  func begin(as name: String) {
    self.name = name
    begin(with: source.snapshot)
  }

  private func begin(with snapshot: ControllerSnapshot) {
    introduction = .controller(
      number: controller, name: name.cutAsName, policy: snapshot.policy.description.cutAsName,
      discipline: snapshot.discipline.rawValue, fidelity: snapshot.fidelity.rawValue,
      snapshot: SnapshotRecord(snapshot).text)
    putBoundary(.attached)
    for (request, reason) in snapshot.standing.stood {
      putStood(request, reason, snapshot.instances[request.visit])
    }
  }

  /// Records `stood`: the phase of a visit that is open when recording begins.
  private func putStood(_ request: Request, _ reason: EventReason, _ instance: VisitNumber?) {
    let event = TransitionEvent(
      number: core.numbering.next(), inside: core.numbering.place, time: EventSource.clock,
      kind: .stood, visit: request.visit, state: request.state, instance: instance)
    guard isIntroduced || introduce() else { return core.dropUnnoted() }
    let state = number(of: request.state)
    if state == 0 { return core.dropUnnoted() }
    var record = record(event, state)
    record.reason = reason.code
    var noted = NotedDetail()
    noted.priority = request.priority
    noted.answers = request.answers & RouteTable.flags
    if noted != NotedDetail() {
      guard note(.detail(event: event.number, noted), &record) else { return core.dropUnnoted() }
    }
    core.put(record)
  }

  /// Asks for a new beginning if events of any controller were lost: the file does not say whose.
  @inline(__always)
  private func noteLosses() {
    // When it has ended, the source may be gone.
    if core.lossMark.load(ordering: .relaxed) != knownLoss, !hasEnded { source.noteLoss() }
  }

  /// Ends the recording that has a gap, and begins another one with a snapshot.
  func beginAnew() -> Bool {
    // While there is no room, this would be lost, too.
    if core.ring.isCrowded(adding: 0) { return false }
    let now = EventSource.clock
    if begunAnew != 0, now &- begunAnew < Self.pauseBetweenBeginnings { return false }
    begunAnew = now
    let snapshot = source.snapshot
    if snapshot.standing.stood.count > Self.mostOpenVisits { return false }
    knownLoss = core.lossMark.load(ordering: .relaxed)
    putBoundary(.detached, .continues)
    controller = core.nextController()
    isIntroduced = false
    begin(with: snapshot)
    return core.lossMark.load(ordering: .relaxed) == knownLoss
  }

  /// Records `detached`; does nothing the second time.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    putBoundary(.detached)
  }

  private func putBoundary(_ kind: TransitionEvent.Kind, _ reason: EventReason? = nil) {
    let event = TransitionEvent(
      number: core.numbering.next(), inside: core.numbering.place, time: EventSource.clock,
      kind: kind)
    defer { noteLosses() }
    guard isIntroduced || introduce() else { return core.dropUnnoted() }
    var record = record(event, 0)
    record.reason = reason?.code ?? 0
    core.put(record)
  }

  /// Notes the controller before its first event.
  ///
  /// - Returns: whether it is noted.
  @inline(never)
  private func introduce() -> Bool {
    guard let note = introduction, core.note(note) else { return false }
    introduction = nil
    isIntroduced = true
    return true
  }

  func record(
    _ kind: TransitionEvent.Kind, _ number: UInt64, inside: EventPlace, cause: UInt64,
    time: UInt64, visit: VisitNumber, state: StateName, instance: VisitNumber, fingerprint: UInt32
  ) {
    defer { noteLosses() }
    guard isIntroduced || introduce() else { return core.dropUnnoted() }
    let state = self.number(of: state)
    if state == 0 { return core.dropUnnoted() }
    let place = RingPlace(of: number, inside: inside)
    core.put(
      staty_record(
        number: number, time: time, inside: place.distance,
        cause: cause == inside.event ? 0 : RingPlace.distance(number, cause),
        controller: controller, visit: visit.rawValue, state: state, instance: instance.rawValue,
        origin: fingerprint, site: 0, kind: kind.rawValue, reason: 0, flags: place.flags, thread: 0,
        check: 0))
  }

  func record(
    _ request: borrowing RequestDetail, _ number: UInt64, inside: EventPlace, time: UInt64,
    instance: VisitNumber
  ) {
    defer { noteLosses() }
    guard isIntroduced || introduce() else { return core.dropUnnoted() }
    record(request, number, inside, time, instance, flags: 0)
  }

  /// Puts the record of a request.
  ///
  /// - Parameter flags: the record's flags for notes that were written already.
  @inline(__always)
  private func record(
    _ detail: borrowing RequestDetail, _ number: UInt64, _ inside: EventPlace, _ time: UInt64,
    _ instance: VisitNumber, flags: UInt16
  ) {
    let state = self.number(of: detail.request.state)
    if state == 0 { return core.dropUnnoted() }
    var flags = flags
    if !NotedDetail.isUsual(detail, instance: instance) {
      let noted = NotedDetail(detail, instance: instance, number: self.number(of:))
      guard core.note(.detail(event: number, noted)) else { return core.dropUnnoted() }
      flags |= UInt16(STATY_RECORD_HAS_DETAILS)
    }
    let place = RingPlace(of: number, inside: inside)
    let site = self.number(of: detail.site)
    let visit = detail.request.visit.rawValue
    let origin = detail.origin?.rawValue ?? 0
    core.put(
      staty_record(
        number: number, time: time, inside: place.distance, cause: 0, controller: controller,
        visit: visit, state: state, instance: instance.rawValue, origin: origin, site: site,
        kind: TransitionEvent.Kind.enqueued.rawValue, reason: 0, flags: place.flags | flags,
        thread: 0, check: 0))
  }

  func observe(_ event: borrowing TransitionEvent) {
    defer { noteLosses() }
    guard isIntroduced || introduce() else { return core.dropUnnoted() }
    if case .request(let request) = event.detail {
      let flags =
        request.hasPayload
        ? notePayload(event.number, source.payload(of: request.request.visit)) : 0
      return record(
        request, event.number, event.inside, event.time, event.instance ?? request.request.visit,
        flags: flags)
    }
    var state: UInt32 = 0
    if let name = event.state {
      state = number(of: name)
      if state == 0 { return core.dropUnnoted() }
    }
    var record = record(event, state)
    if describe(event, &record) { core.put(record) } else { core.dropUnnoted() }
  }

  private func record(_ event: borrowing TransitionEvent, _ state: UInt32) -> staty_record {
    let place = RingPlace(of: event.number, inside: event.inside)
    return staty_record(
      number: event.number, time: event.time, inside: place.distance,
      cause: RingPlace.distance(event.number, event.ownCause), controller: controller,
      visit: event.visit?.rawValue ?? 0, state: state, instance: event.instance?.rawValue ?? 0,
      origin: 0, site: 0, kind: event.kind.rawValue, reason: 0, flags: place.flags, thread: 0,
      check: 0)
  }

  /// Adds the event's detail to the record.
  ///
  /// - Returns: false if a necessary note failed. The event is lost then, because without the note it would be
  ///   wrong.
  private func describe(
    _ event: borrowing TransitionEvent, _ record: inout staty_record
  ) -> Bool {
    switch event.detail {
    case .discard(.rejected(let refusal)):
      record.reason = EventReason.rejected.code
      let noted = NotedDetail(refusal, number: number(of:))
      guard note(.detail(event: event.number, noted), &record) else { return false }
    case .step(let step):
      record.instance = step
    case .message(let hasPayload, let part):
      if let part {
        var noted = NotedDetail()
        noted.asked = number(of: part)
        guard note(.detail(event: event.number, noted), &record) else { return false }
      }
      if hasPayload {
        let number = event.number
        record.flags |= notePayload(number, source.payload(ofMessage: number))
      }
    case .showing(let fingerprint):
      record.origin = fingerprint
    case .awaitsUser:
      var noted = NotedDetail()
      noted.answers = RouteTable.awaitsUser
      guard note(.detail(event: event.number, noted), &record) else { return false }
    case .none, .request, .discard, .completion, .cancellation, .deadline, .change,
      .finished:
      record.reason = EventReason(event.detail, of: event.kind)?.code ?? 0
    }
    return true
  }

  private func note(_ note: Note, _ record: inout staty_record) -> Bool {
    guard core.note(note) else { return false }
    record.flags |= UInt16(STATY_RECORD_HAS_DETAILS)
    return true
  }

  /// Notes a payload, unless the ring is nearly full: events are more important than payloads.
  ///
  /// - Returns: the record's flags, which show whether the payload was noted or left out.
  private func notePayload(
    _ number: UInt64, _ payload: @autoclosure () -> StatePayload?
  ) -> UInt16 {
    guard core.options.recordsPayloads, let payload = payload() else { return 0 }
    if !core.ring.isCrowded(adding: 0) {
      let text = text(of: payload)
      if !core.ring.isCrowded(adding: text.utf8.count),
        core.note(.payload(event: number, text: text))
      {
        return UInt16(STATY_RECORD_HAS_DETAILS)
      }
    }
    core.ring.countPayloadLeftOut()
    return UInt16(STATY_RECORD_PAYLOAD_LEFT_OUT)
  }

  /// The part of a payload that may be stored.
  ///
  /// The rest is not passed on.
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

  /// The number of a call site; 0 if it is unknown.
  private func number(of site: RequestSite?) -> UInt32 {
    guard let site else { return 0 }
    return sites.number(of: site) { core.number(of: site) }
  }
}
