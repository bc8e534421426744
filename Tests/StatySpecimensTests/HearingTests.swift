import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// Inputs that observers make when they get an event.
///
/// They happen before the controller carries its order out, and the recording shows that.
@Suite struct HearingTests {
  /// Acts once, on the first event of a kind.
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

  /// Records a presenter with three states that do nothing by themselves.
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

  /// The second state is requested after the first was told to enter and before it is being
  /// presented.
  private func recordRequest(by speaker: Int?) throws -> SpecimenHistory {
    try record { presenter, states in
      let observer = Hearing(.entering, of: 1) {
        presenter.show(states[1], by: speaker.map { states[$0] })
      }
      presenter.events.add(observer)
      presenter.show(states[0])
      states[1].complete(.entered)
      presenter.show(states[2])
      return [observer]
    }
  }

  @Test(arguments: [nil, 0, 1])
  func `a request that an observer made is reproduced, whatever its origin`(
    _ speaker: Int?
  ) throws {
    let history = try recordRequest(by: speaker)
    let result = try history.replay()
    #expect(result.verdict == .reproduced, "\(result)")
  }

  /// The first state reports its enter before the presenter checks whether a state is being
  /// presented.
  private func recordCompletion() throws -> SpecimenHistory {
    try record { presenter, states in
      let observer = Hearing(.entering, of: 2) { states[0].complete(.entered) }
      presenter.events.add(observer)
      presenter.show(states[0])
      presenter.show(states[1])
      states[1].complete(.entered)
      states[0].complete(.exited)
      presenter.show(states[2])
      return [observer]
    }
  }

  @Test func `an output caused by an observer is missed if it is removed`() throws {
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

  /// A screen for states that do nothing by themselves.
  private final class Screen {}

  private final class Quiet: ScreenState {
    let name: StateName
    var visit: Visit?

    init(_ name: StateName) { self.name = name }

    func enter(on target: Screen, visit: Visit) { self.visit = visit }
    func exit(from target: Screen, visit: Visit) {}
  }

  /// Observers get a request of one controller late, after the other has told its state to enter.
  ///
  /// Then that state exits.
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

  @Test func `an event that observers get late is replayed in its own place`() throws {
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

  /// A state that enters and exits at once.
  private final class Instant: ScreenState {
    let name: StateName
    init(_ name: StateName) { self.name = name }
    func enter(on target: Screen, visit: Visit) { visit.entered() }
    func exit(from target: Screen, visit: Visit) { visit.exited() }
  }

  /// An observer requests a toast when it gets the event of a later step, before the step shows a
  /// screen.
  ///
  /// - Parameter first: a toast that exits for the new one.
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

  /// Exchanges the last two outputs.
  ///
  /// No run can have made this order.
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

  @Test func `an observer's input cannot happen after its event was handled`() throws {
    try expectMisplaced(recordToast(), outputs: 2)
  }

  /// The first output shows that the work happened in the step, so the last one happened there too.
  @Test func `the outputs of a later step cannot happen after the step`() throws {
    try expectMisplaced(recordToast(after: Instant("hello")), outputs: 4)
  }
}
