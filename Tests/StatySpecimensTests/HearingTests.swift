import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// What observers do when they hear of an order happens before the controller has carried it out, and
/// is recorded as theirs.
@Suite struct HearingTests {
  /// Does something once, when an event of a kind is heard of.
  private final class Hearing: TransitionObserver {
    private let kind: TransitionEvent.Kind
    private let visit: VisitNumber
    private var act: (() -> Void)?

    init(_ kind: TransitionEvent.Kind, of visit: UInt32, _ act: @escaping () -> Void) {
      (self.kind, self.visit, self.act) = (kind, VisitNumber(visit), act)
    }

    func observe(_ event: borrowing TransitionEvent) {
      if event.kind == kind, event.visit == visit { act.take()?() }
    }
  }

  /// Records what is done with a presenter and three states that do nothing by themselves.
  private func record(
    _ play: (Presenter, [PlayedState]) -> [any TransitionObserver]
  ) throws -> SpecimenHistory {
    let history = try SpecimenHistory()
    let recorder = try HistoryRecorder(at: history.path)
    let presenter = Presenter(probe: ControllerProbe("presenter"), timer: ManualClock())
    recorder.attach(to: presenter, as: "presenter")
    let observers = play(presenter, ["first", "second", "third"].map { PlayedState($0) })
    withExtendedLifetime(observers) { recorder.close() }
    return history
  }

  /// The second is asked for before the first, who was told to come in, is being presented.
  private func recordRequest(by speaker: Int?) throws -> SpecimenHistory {
    try record { presenter, states in
      let observer = Hearing(.entering, of: 1) {
        presenter.show(states[1], by: speaker.map { states[$0] })
      }
      presenter.events.add(observer)
      presenter.show(states[0])
      states[1].say(.entered)
      presenter.show(states[2])
      return [observer]
    }
  }

  @Test(arguments: [nil, 0, 1])
  func `a request is of the observers who made it, whoever they say asks`(
    _ speaker: Int?
  ) throws {
    let history = try recordRequest(by: speaker)
    let result = try history.replay()
    #expect(result.verdict == .reproduced, "\(result)")
  }

  /// The first says that it is in before the presenter looks whether anybody is being presented.
  private func recordCompletion() throws -> SpecimenHistory {
    try record { presenter, states in
      let observer = Hearing(.entering, of: 2) { states[0].say(.entered) }
      presenter.events.add(observer)
      presenter.show(states[0])
      presenter.show(states[1])
      states[1].say(.entered)
      states[0].say(.exited)
      presenter.show(states[2])
      return [observer]
    }
  }

  @Test func `an output that follows from what observers did is missed if it is taken out`() throws
  {
    let history = try recordCompletion()
    #expect(try history.replay().verdict == .reproduced)
    let whole = try EditedHistory(history)
    let place = try #require(
      whole.outputs.first { whole.rows[$0].kind == EventKind.exiting.rawValue })
    var edited = whole
    edited.remove(at: place)
    let result = try edited.write().replay()
    #expect(result.verdict == .diverged, "\(result)")
    #expect(result.divergences.first?.seq == edited.rows[place].seq)
  }

  /// Shows states that do nothing by themselves.
  private final class Screen {}

  private final class Quiet: ScreenState {
    let name: StateName
    var visit: Visit?

    init(_ name: StateName) { self.name = name }

    func enter(on target: Screen, visit: Visit) { self.visit = visit }
    func exit(from target: Screen, visit: Visit) {}
  }

  /// What one controller is asked for is heard of late, when the other has let its state in; that one
  /// leaves then.
  private func recordLateWord() throws -> SpecimenHistory {
    let history = try SpecimenHistory()
    let recorder = try HistoryRecorder(at: history.path)
    let screen = Screen()
    let (outer, inner) = (
      StateController<Screen>(policy: .queue), StateController<Screen>(policy: .queue)
    )
    let guest = Quiet("guest")
    for (controller, name) in [(outer, "outer"), (inner, "inner")] {
      controller.bind(to: screen)
      recorder.attach(to: controller, as: name)
    }
    let observers = [
      Hearing(.enqueued, of: 1) { inner.transition(to: guest) },
      Hearing(.enqueued, of: 2) { guest.visit?.exited() },
    ]
    for observer in observers { outer.events.add(observer) }
    let asking = Hearing(.enqueued, of: 1) { outer.transition(to: Quiet("second")) }
    inner.events.add(asking)
    outer.transition(to: Quiet("first"))
    withExtendedLifetime((observers, asking, screen)) { recorder.close() }
    return history
  }

  @Test func `what is heard of late is not told in the call that it was made in`() throws {
    let history = try recordLateWord()
    #expect(try history.replay().verdict == .reproduced)
    let whole = try EditedHistory(history)
    #expect(whole.outputs.count == 2)
    for place in whole.outputs {
      var edited = whole
      edited.remove(at: place)
      let result = try edited.write().replay()
      #expect(result.verdict == .diverged, "without \(whole.rows[place]): \(result)")
    }
  }

  /// Shows states that are in and out at once.
  private final class Instant: ScreenState {
    let name: StateName
    init(_ name: StateName) { self.name = name }
    func enter(on target: Screen, visit: Visit) { visit.entered() }
    func exit(from target: Screen, visit: Visit) { visit.exited() }
  }

  /// Observers let a toast in when they hear of a step that was put off, before a screen is shown in it.
  ///
  /// - Parameter first: a toast that leaves for it then.
  private func recordToast(after first: Instant? = nil) throws -> SpecimenHistory {
    let history = try SpecimenHistory()
    let recorder = try HistoryRecorder(at: history.path)
    let (clock, screen) = (ManualClock(), Screen())
    let toasts = StateController<Screen>(policy: .queue)
    toasts.bind(to: screen)
    let root = Staty2019(probe: ControllerProbe("staty-2019"), timer: clock)
    recorder.attach(to: toasts, as: "toasts")
    recorder.attach(to: root.probe, as: "root")
    let observer = Toasting { toasts.transition(to: Quiet("toast")) }
    root.probe.events.add(observer)
    root.transit(to: PlayedState("home"))
    if let first { toasts.transition(to: first) }
    clock.advance(by: .milliseconds(1))
    withExtendedLifetime((observer, screen)) { recorder.close() }
    return history
  }

  private final class Toasting: TransitionObserver {
    private let act: () -> Void
    init(_ act: @escaping () -> Void) { self.act = act }
    func observe(_ event: borrowing TransitionEvent) { if event.kind == .resumed { act() } }
  }

  /// The last two outputs change places, and no run can have made them so.
  private func expectMisplaced(_ history: SpecimenHistory, outputs count: Int) throws {
    let whole = try history.replay()
    #expect(whole.verdict == .reproduced, "\(whole)")
    var edited = try EditedHistory(history)
    let outputs = edited.outputs
    try #require(outputs.count == count)
    let isSwapped = edited.swap(outputs[count - 2], outputs[count - 1])
    #expect(isSwapped)
    let result = try edited.write().replay()
    #expect(result.verdict == .inconclusive, "\(result)")
    #expect(result.doubts.contains { if case .misplaced = $0 { true } else { false } })
  }

  @Test func `what observers do is not done after what they heard of was handled`() throws {
    try expectMisplaced(recordToast(), outputs: 2)
  }

  /// By when its first output is left, work shows that it was in the step, and so its last one was.
  @Test func `what comes of work in a step is not done after it`() throws {
    try expectMisplaced(recordToast(after: Instant("hello")), outputs: 4)
  }
}
