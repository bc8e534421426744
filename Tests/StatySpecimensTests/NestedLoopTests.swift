import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// A state may wait in its call until something has happened, and meanwhile runs what was put off.
@Suite struct NestedLoopTests {
  /// A screen that leaves lets a toast in, which asks for another screen before the next comes in.
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
    home.onEnter = { $0.say(.entered) }
    home.onExit = { _ in clock.advance(by: .milliseconds(1)) }
    toast.onEnter = { _ in root.show(hint) }
    root.show(home)
    toasts.transit(to: toast)
    root.show(detail)
    recorder.close()
    return history
  }

  @Test func `what runs in the midst of a call leaves those in doubt who were at it`() throws {
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
