import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// A state may wait inside of its call and run later steps meanwhile.
@Suite struct NestedLoopTests {
  /// The exit of a screen makes a toast enter.
  ///
  /// The toast requests another screen before the next one enters.
  private func record() throws -> SpecimenHistory {
    let history = try SpecimenHistory()
    let recorder = try HistoryRecorder(at: history.path)
    let clock = ManualClock()
    let toasts = Staty2019(probe: ControllerProbe("toasts"), timer: clock)
    let root = Presenter(probe: ControllerProbe("root"), timer: clock)
    recorder.attach(to: toasts.probe, as: "toasts")
    recorder.attach(to: root.probe, as: "root")
    let (home, detail, hint, toast) = (
      PlayedState("home"), PlayedState("detail"), PlayedState("hint"), PlayedState("toast")
    )
    home.onEnter = { $0.complete(.entered) }
    home.onExit = { _ in clock.advance(by: .milliseconds(1)) }
    toast.onEnter = { _ in root.show(hint) }
    root.show(home)
    toasts.transit(to: toast)
    root.show(detail)
    recorder.close()
    return history
  }

  @Test func `work that runs inside of a waiting call leaves its controllers in doubt`() throws {
    let history = try record()
    let result = try history.replay()
    #expect(result.verdict == .inconclusive, "\(result)")
    let whole = try EditedHistory(history)
    for place in whole.outputs {
      var edited = whole
      edited.remove(at: place)
      let result = try edited.write().replay()
      #expect(result.verdict != .reproduced, "without \(whole.rows[place]): \(result)")
    }
  }
}
