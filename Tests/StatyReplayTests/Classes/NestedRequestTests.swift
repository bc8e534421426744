import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import Testing

/// A request by an observer is told where the observer was told.
///
/// For a request by a delegate, the recording does not say where.
@Suite struct NestedRequestTests {
  private let history: RecordedHistory

  init() throws {
    history = try RecordedHistory()
  }

  /// Asks for one more when it hears of the first event of a kind.
  private final class Asking: TransitionObserver {
    let desk: Desk
    let kind: TransitionEvent.Kind
    private var isDone = false

    init(_ desk: Desk, at kind: TransitionEvent.Kind) {
      self.desk = desk
      self.kind = kind
    }

    func observe(_ event: borrowing TransitionEvent) {
      guard event.kind == kind, !isDone else { return }
      isDone = true
      desk.transit(to: DeskState("asked"))
    }
  }

  /// Records some states at a desk, one after the other; during the first, an observer makes a
  /// request.
  private func record(asking kind: TransitionEvent.Kind) throws {
    let recorder = try history.recorder()
    let desk = Desk(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    let asking = Asking(desk, at: kind)
    desk.events.add(asking)
    for place in 0..<12 { desk.transit(to: DeskState(place % 2 == 0 ? "even" : "odd")) }
    desk.events.remove(asking)
    recorder.close()
  }

  @Test(arguments: [TransitionEvent.Kind.enqueued, .entering, .entered, .exited])
  func `an output that is taken out behind a nested request diverges at its place`(
    _ kind: TransitionEvent.Kind
  ) throws {
    try record(asking: kind)
    #expect(try history.verify(.with(Desk.self)).verdict == .reproduced)
    let outputs = try PlainRecording(history.path).rows.filter {
      $0.side == .output && $0.visit > 5
    }
    #expect(outputs.count == 15)
    for row in outputs {
      let result = try history.mutated(.delete(row)).verify(.with(Desk.self))
      #expect(result.verdict == .diverged, "\(row): \(result)")
      #expect(result.divergences.first?.seq == row.seq + 1, "\(row): \(result)")
      #expect(result.doubts == [], "\(row)")
    }
  }

  @Test(arguments: [TransitionEvent.Kind.enqueued, .entering, .entered, .exited])
  func `an output for another visit behind a nested request diverges where it stands`(
    _ kind: TransitionEvent.Kind
  ) throws {
    try record(asking: kind)
    let seq = Int64(try history.number(of: "entering", visit: 9))!
    try history.change("UPDATE event SET visit = 3 WHERE seq = \(seq)")
    let result = try history.verify(.with(Desk.self))
    #expect(result.verdict == .diverged, "\(result)")
    #expect(result.divergences.first?.seq == seq)
  }

  /// Calls a delegate during the handling of a request.
  class Calling: Desk {
    var delegate: () -> Void = {}
    override func transit(to state: DeskState) {
      probe.requested(state, named: state.name) {
        waiting.append(state)
        delegate()
        proceed()
      }
    }
  }

  /// Records a request that a delegate makes during another.
  private func recordDelegate(slow: Bool) throws {
    let recorder = try history.recorder()
    let desk = Calling(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    let first = DeskState("first")
    if slow { first.onEnter = { _ in } }
    desk.transit(to: first)
    desk.delegate = { [unowned desk] in
      desk.delegate = {}
      desk.transit(to: DeskState("passed on"))
    }
    desk.transit(to: DeskState("second"))
    if slow { desk.didEnter(first) }
    for _ in 0..<4 { desk.transit(to: DeskState("later")) }
    recorder.close()
  }

  @Test(arguments: [false, true])
  func `a request that a delegate made during the handling is in doubt, by its number`(
    _ slow: Bool
  ) throws {
    try recordDelegate(slow: slow)
    let seq = Int64(try history.number(of: "enqueued", visit: 3))!
    let inside = Int64(try history.number(of: "enqueued", visit: 2))!
    let result = try history.verify(.with(Calling.self))
    #expect(result.divergences == [])
    #expect(result.verdict == .inconclusive || result.verdict == .reproduced, "\(result)")
    if result.verdict == .inconclusive {
      #expect(result.doubts == [.unbracketed(controller: 1, seq: seq, .call(in: inside))])
    }
  }
}
