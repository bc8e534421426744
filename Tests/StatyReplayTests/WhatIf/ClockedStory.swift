import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay

/// Small recordings on a clock of their own, with a queue unless it is said.
enum ClockedStory {
  final class Screen {}

  /// Enters and exits after 10 ms each.
  final class Paced: ScreenState {
    let name: StateName
    let clock: ManualClock
    let isSilent: Bool
    let stays: Bool
    var then: (Visit) -> Void = { _ in }

    init(_ name: StateName, _ clock: ManualClock, isSilent: Bool = false, stays: Bool = false) {
      (self.name, self.clock, self.isSilent, self.stays) = (name, clock, isSilent, stays)
    }

    func enter(on screen: Screen, visit: Visit) {
      guard !isSilent else { return }
      _ = clock.schedule(after: .milliseconds(10)) { [self] in
        visit.entered()
        then(visit)
      }
    }

    func exit(from screen: Screen, visit: Visit) {
      guard !stays else { return }
      _ = clock.schedule(after: .milliseconds(10)) { visit.exited() }
    }
  }

  typealias Steps = (StateController<Screen>, ManualClock) -> Void

  /// Three requests at once.
  static func three(_ controller: StateController<Screen>, _ clock: ManualClock) {
    for name in ["loading", "content", "alert"] as [StateName] {
      controller.transition(to: Paced(name, clock))
    }
    clock.advance(by: .seconds(1))
  }

  /// Lets a state request the next one 10 ms after it has entered.
  static func asking(_ controller: StateController<Screen>, _ clock: ManualClock) {
    let loading = Paced("loading", clock)
    loading.then = { visit in
      _ = clock.schedule(after: .milliseconds(10)) {
        controller.transition(to: Paced("content", clock), origin: visit)
      }
    }
    controller.transition(to: loading)
    clock.advance(by: .seconds(1))
  }

  /// A state is told to exit in its turn and never reports that it has exited.
  static func staying(_ controller: StateController<Screen>, _ clock: ManualClock) {
    controller.transition(to: Paced("loading", clock, stays: true))
    clock.advance(by: .seconds(1))
    controller.transition(to: Paced("content", clock))
    clock.advance(by: .seconds(5))
    controller.cancelAll()
  }

  /// A state is told to enter while another is leaving, and never reports that it has entered.
  static func overlapped(_ controller: StateController<Screen>, _ clock: ManualClock) {
    controller.transition(to: Paced("loading", clock))
    clock.advance(by: .milliseconds(50))
    controller.transition(to: Paced("content", clock, isSilent: true))
    clock.advance(by: .seconds(3))
    controller.cancelAll()
  }

  /// A state that never reports that it has entered.
  static func silent(_ controller: StateController<Screen>, _ clock: ManualClock) {
    controller.transition(to: Paced("loading", clock, isSilent: true))
    clock.advance(by: .seconds(3))
    controller.cancel(VisitNumber(7))
    controller.cancelAll()
  }
}

extension RecordedHistory {
  convenience init(
    _ steps: ClockedStory.Steps, under policy: some TransitionPolicy = QueuePolicy()
  ) throws {
    try self.init()
    let (screen, clock) = (ClockedStory.Screen(), ManualClock())
    let controller = StateController<ClockedStory.Screen>(policy: policy)
    controller.bind(to: screen)
    let witness = Witness(controller.events, clock)
    steps(controller, clock)
    try witness.write(to: path)
    withExtendedLifetime(screen) {}
  }

  func kinds() throws -> [UInt8] {
    let events = try HistoryReader(path: path).events(session: 1)
    var kinds: [UInt8] = []
    while let row = try events.next() { kinds.append(row.kind) }
    return kinds
  }
}

/// Writes down what a controller's observers are told, with the times of a clock.
private final class Witness: TransitionObserver {
  private var rows: [EventRow] = []
  private var details: [EventDetail] = []
  private var names: [StateName] = []
  private var sites: [RequestSite] = []
  private let snapshot: SnapshotRecord
  private let policy: String
  private let discipline: Discipline
  private let clock: ManualClock

  init(_ source: EventSource, _ clock: ManualClock) {
    self.clock = clock
    snapshot = SnapshotRecord(source.snapshot)
    policy = source.snapshot.policy.description
    discipline = source.snapshot.discipline
    rows = [EventRow(seq: 1, time: 0, kind: .attached, controller: 1)]
    source.add(self)
  }

  func observe(_ event: borrowing TransitionEvent) {
    let (seconds, attoseconds) = clock.now.components
    var row = EventRow(
      seq: Int64(rows.count) + 1, time: seconds * 1_000_000 + attoseconds / 1_000_000_000_000,
      kind: event.kind, reason: EventReason(event.detail, of: event.kind)?.code ?? 0, controller: 1,
      visit: event.visit?.rawValue ?? 0, cause: event.cause == 0 ? 0 : Int64(event.cause) + 1)
    if let name = event.state {
      if !names.contains(name) { names.append(name) }
      row.state = Int32(names.firstIndex(of: name)! + 1)
    }
    if case .request(let request) = event.detail, let site = request.site {
      if !sites.contains(site) { sites.append(site) }
      row.site = Int32(sites.firstIndex(of: site)! + 1)
    }
    rows.append(row)
    guard case .request(let request) = event.detail, let origin = request.origin else { return }
    var detail = EventDetail(seq: row.seq)
    detail.origin = origin.rawValue
    details.append(detail)
  }

  func write(to path: String) throws {
    let writer = try HistoryWriter(path: path)
    for name in names { _ = try writer.intern(name: name.description) }
    for site in sites {
      _ = try writer.intern(site: site.file.description, line: Int64(site.line))
    }
    let session = try writer.beginSession(
      SessionOpening(uuid: "1", app: "Shop", appVersion: "1", os: "?", pid: 1, wallTime: 0))
    _ = try writer.addController(
      session: session, name: "checkout", policy: policy,
      discipline: discipline.rawValue, fidelity: 1, snapshot: snapshot.text)
    _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: details, to: session) }
    try writer.endSession(session, .clean)
    try writer.close()
  }
}

extension RecordedHistory {
  /// Adds a session with nothing but a mark in it.
  func addSession() throws {
    let writer = try HistoryWriter(path: path)
    let session = try writer.beginSession(
      SessionOpening(uuid: "2", app: "Shop", appVersion: "1", os: "?", pid: 1, wallTime: 0))
    let first = try writer.sessions().first { $0.id == session }!.firstSeq
    let rows = [EventRow(seq: first, time: 0, kind: .mark)]
    _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: [], to: session) }
    try writer.endSession(session, .clean)
    try writer.close()
  }
}

extension WhatIfResult {
  func states(_ kind: EventKind) -> [String] {
    events.filter { $0.kind == kind.rawValue }.map { names[$0.state] ?? "?" }
  }

  func times(_ kind: EventKind) -> [Int64] {
    events.filter { $0.kind == kind.rawValue }.map(\.time)
  }
}
