import StatyHistory
import StatyReading

/// All that a history tells, by what it is about.
struct Told {
  var sessions: [Int64: SessionRecord] = [:]
  var controllers: [Int64: [ControllerRecord]] = [:]
  var losses: [Int64: [LossRecord]] = [:]
  var anchors: [Int64: [AnchorRecord]] = [:]
  /// The lines of its export that are about events.
  var events: [Int64: String] = [:]
  var names: Set<String> = []
  var sites: Set<SiteRecord> = []

  init(_ path: String) throws {
    let reader = try HistoryReader(receivedAt: path)
    for session in try reader.sessions() {
      sessions[session.id] = session
      controllers[session.id] = try reader.controllers(session: session.id)
      losses[session.id] = try reader.losses(session: session.id)
      anchors[session.id] = try reader.anchors(session: session.id)
      if let damage = try ChainVerifier(reader).firstDamage(session: session.id) {
        throw HistoryError.damaged("session \(session.id): \(damage)")
      }
    }
    names = Set(try reader.names().values)
    sites = Set(try reader.sites().values)
    events = try SalvagedStory.events(of: path)
  }

  /// What is told here, and not there, and is not said to be unverified either.
  func invented(beside original: Told, _ report: SalvageReport) -> [String] {
    var invented: [String] = []
    for (seq, line) in events where original.events[seq] != line {
      invented.append("event \(seq) is \(line) and was \(original.events[seq] ?? "none")")
    }
    let own = names.subtracting(original.names).subtracting([ControllerRecord.unverifiedPolicy])
    invented += own.map { "name \($0)" }
    invented += sites.subtracting(original.sites).map { "site \($0)" }
    for (id, session) in sessions {
      guard let said = report.sessions.first(where: { $0.id == id }) else {
        return ["\(id) unsaid"]
      }
      invented += differences(of: session, original, said).map { "session \(id): \($0)" }
      for controller in controllers[id] ?? []
      where !(original.controllers[id] ?? []).contains(where: { controller.isLike($0, said) }) {
        invented.append("controller \(controller)")
      }
    }
    return invented
  }

  private func differences(
    of session: SessionRecord, _ original: Told, _ said: SalvageReport.Session
  ) -> [String] {
    guard let was = original.sessions[session.id] else {
      return said.isVouched || !session.uuid.hasSuffix("(unverified)") ? ["\(session)"] : []
    }
    var differences: [String] = []
    func check(_ isSame: Bool, _ what: String) { if !isSame { differences.append(what) } }
    check(
      session.uuid == was.uuid || !said.isVouched && session.uuid.hasSuffix(" (unverified)"), "uuid"
    )
    for text in [\SessionRecord.app, \.appVersion, \.os] {
      check(session[keyPath: text] == (said.isVouched ? was[keyPath: text] : ""), "\(text)")
    }
    for number in [\SessionRecord.wallTime] {
      check(session[keyPath: number] == (said.isVouched ? was[keyPath: number] : 0), "\(number)")
    }
    check(session.pid == (said.isVouched ? was.pid : 0), "pid")
    check(
      session.ended == (said.isSealed ? was.ended : .killed),
      "ended \(String(describing: session.ended))")
    let lost = (losses[session.id] ?? []).filter { $0.reason != "damaged" }
    for loss in lost where !(original.losses[session.id] ?? []).contains(loss) {
      differences.append("loss \(loss)")
    }
    for anchor in anchors[session.id] ?? []
    where said.isSealed || anchor.time > 0 {
      if (original.anchors[session.id] ?? []).contains(anchor) { continue }
      differences.append("anchor \(anchor)")
    }
    return differences
  }
}

extension ControllerRecord {
  /// Whether all that is said of it is what was said, but for what is said not to be verified.
  fileprivate func isLike(_ was: ControllerRecord, _ said: SalvageReport.Session) -> Bool {
    let isUnverified = said.unvouchedControllers.contains(name)
    return name == was.name
      && (isUnverified
        ? policy == ControllerRecord.unverifiedPolicy && fidelity > 1
        : policy == was.policy && fidelity == was.fidelity)
      && (snapshot == was.snapshot || snapshot == "")
  }
}
