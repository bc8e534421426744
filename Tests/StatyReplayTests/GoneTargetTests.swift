import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import Testing

/// A controller without its target is torn down during its work, and continues that work.
@Suite struct GoneTargetTests {
  private final class Silent: ScreenState {
    let name: StateName
    init(_ name: StateName) { self.name = name }
    func enter(on screen: RandomScene.Screen, visit: Visit) {}
    func exit(from screen: RandomScene.Screen, visit: Visit) {}
  }

  private final class Brief: ScreenState {
    let name: StateName = "brief"
    func enter(on screen: RandomScene.Screen, visit: Visit) { visit.entered() }
    func exit(from screen: RandomScene.Screen, visit: Visit) { visit.exited() }
  }

  /// Where the controller is when it is torn down.
  private enum Place: CaseIterable {
    case outermost
    case observed
    case inState
  }

  /// The first visit never enters and exceeds its deadline, but by then there is no target for the
  /// next.
  ///
  /// - Parameters:
  ///   - place: the event of another controller in which that happens.
  ///   - waiting: how many visits wait behind it.
  private func record(in place: Place = .outermost, waiting: Int = 2) throws -> RecordedHistory {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let clock = ManualClock()
    let controller = StateController<RandomScene.Screen>(
      policy: .queue,
      deadlines: Deadlines(entering: .seconds(2), exiting: .seconds(2), recovery: .skip),
      timer: clock)
    // Where one is alone, it is in its own work whatever happens.
    let other = StateController<RandomScene.Screen>()
    recorder.attach(to: controller, as: "screens")
    recorder.attach(to: other, as: "other")
    var screen: RandomScene.Screen? = RandomScene.Screen()
    let otherScreen = RandomScene.Screen()
    controller.bind(to: screen!)
    other.bind(to: otherScreen)
    for _ in 0...waiting { controller.transition(to: Silent("silent")) }
    screen = nil
    let passing = Passing(place == .observed ? .enqueued : nil) { clock.advance(by: .seconds(3)) }
    other.events.add(passing)
    if place == .inState {
      other.transition(
        to: Running {
          other.transition(to: Brief())
          $0.entered()
          clock.advance(by: .seconds(3))
        })
    } else {
      other.transition(to: Brief())
    }
    if place == .outermost { clock.advance(by: .seconds(3)) }
    other.transition(to: Brief())
    withExtendedLifetime((otherScreen, passing)) { recorder.close() }
    return history
  }

  /// Does something once, at the first event of a kind.
  private final class Passing: TransitionObserver {
    private var kind: TransitionEvent.Kind?
    private let pass: () -> Void

    init(_ kind: TransitionEvent.Kind?, _ pass: @escaping () -> Void) {
      (self.kind, self.pass) = (kind, pass)
    }

    func observe(_ event: borrowing TransitionEvent) {
      guard event.kind == kind else { return }
      kind = nil
      pass()
    }
  }

  /// Does something when it is told to enter.
  private final class Running: ScreenState {
    let name: StateName = "running"
    private let run: (Visit) -> Void
    init(_ run: @escaping (Visit) -> Void) { self.run = run }
    func enter(on screen: RandomScene.Screen, visit: Visit) { run(visit) }
    func exit(from screen: RandomScene.Screen, visit: Visit) { visit.exited() }
  }

  @Test(arguments: Place.allCases)
  private func `what it did then cannot change places with what another did`(_ place: Place) throws
  {
    let history = try record(in: place)
    #expect(try history.verify().verdict == .reproduced)
    try history.spread()
    let recording = try PlainRecording(history.path)
    let discard = try #require(recording.rows.last { $0.kind == EventKind.discarded.rawValue })
    // The next call of the other controller during its work; at the root, its next request.
    let kinds: [EventKind] = place == .outermost ? [.enqueued] : [.entering, .exiting]
    let next = try #require(
      recording.rows.first {
        $0.seq > discard.seq && kinds.map(\.rawValue).contains($0.kind)
      })
    #expect(place == .outermost || next.cause < discard.seq && next.cause > 0)
    let result = try history.mutated(.swap(discard, next)).verify()
    #expect(result.verdict != .reproduced, "\(result)\n\(recording.words)")
  }

  @Test func `thousands that waited can be given up amid what another does`() throws {
    for place in Place.allCases {
      let result = try record(in: place, waiting: 1_300).verify()
      #expect(result.verdict == .reproduced, "\(place): \(result)")
    }
  }

  @Test func `what it had decided before and what comes of the tear-down are both in its work`()
    throws
  {
    let history = try record()
    let reader = try HistoryReader(path: history.path)
    let events = try reader.events(session: 1)
    var rows: [EventRow] = []
    while let row = try events.next() { rows.append(row) }
    let tearDown = try #require(rows.firstIndex { $0.kind == EventKind.cancelled.rawValue })
    let discards = rows[(tearDown + 1)...].filter { $0.kind == EventKind.discarded.rawValue }
    let causes = discards.map(\.cause)
    #expect(causes.first == rows[tearDown - 1].seq, "decided before: \(causes)")
    #expect(causes.last == rows[tearDown].seq, "come of the tear-down: \(causes)")
    let result = try history.verify()
    #expect(result.verdict == .reproduced, "\(result)")
  }
}
