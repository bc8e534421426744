import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import Testing

/// A controller whose target has gone is torn down amid its work, and goes on with that.
@Suite struct GoneTargetTests {
  private final class Silent: ScreenState {
    let name: StateName
    init(_ name: StateName) { self.name = name }
    func enter(on screen: RandomScene.Screen, visit: Visit) {}
    func exit(from screen: RandomScene.Screen, visit: Visit) {}
  }

  /// The first never comes in and is given up when it is time, but by then there is nothing that the
  /// next could be shown on.
  private func record() throws -> RecordedHistory {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let clock = ManualClock()
    let controller = StateController<RandomScene.Screen>(
      policy: .queue,
      deadlines: Deadlines(entering: .seconds(2), leaving: .seconds(2), recovery: .skip),
      timer: clock)
    // Where one is alone, it is in its own work whatever happens.
    let other = StateController<RandomScene.Screen>()
    recorder.attach(to: controller, as: "screens")
    recorder.attach(to: other, as: "other")
    var screen: RandomScene.Screen? = RandomScene.Screen()
    controller.bind(to: screen!)
    for name in ["first", "second", "third"] { controller.transition(to: Silent(StateName(name))) }
    screen = nil
    clock.advance(by: .seconds(3))
    recorder.close()
    return history
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
