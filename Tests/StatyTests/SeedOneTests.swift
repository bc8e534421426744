import Staty
import Testing

/// What the states need of their screen.
private protocol IndicatorShowing: AnyObject {
  func showIndicator()
  func hideIndicator(completion: @escaping () -> Void)
}

private protocol AlertShowing: AnyObject {
  func showAlert(_ message: String, onClose: @escaping () -> Void)
}

/// A screen with an indicator that fades in 0.6 seconds.
///
/// The user closes an alert after two.
private final class ArticleScreen: IndicatorShowing, AlertShowing {
  let clock: ManualClock
  var lines: [String] = []
  private var steps: [any ScheduledStep] = []

  init(_ clock: ManualClock) {
    self.clock = clock
  }

  func showIndicator() { note("indicator") }

  func hideIndicator(completion: @escaping () -> Void) {
    after(.milliseconds(600)) { [weak self] in
      self?.note("no indicator")
      completion()
    }
  }

  func showAlert(_ message: String, onClose: @escaping () -> Void) {
    note(message)
    after(.seconds(2)) { [weak self] in
      self?.note("\(message) closed")
      onClose()
    }
  }

  private func note(_ line: String) { lines.append("\(clock.now) \(line)") }

  private func after(_ delay: Duration, _ action: @escaping () -> Void) {
    steps.append(clock.schedule(after: delay, action))
  }
}

private final class LoadingState<Target: IndicatorShowing>: ScreenState {
  func enter(on target: Target, visit: Visit) {
    target.showIndicator()
    visit.entered()
  }

  func exit(from target: Target, visit: Visit) {
    target.hideIndicator(completion: visit.exited)
  }
}

/// An alert exits by itself when the user closes it.
private final class AlertState<Target: AlertShowing>: ScreenState {
  private let message: String

  init(_ message: String) {
    self.message = message
  }

  func enter(on target: Target, visit: Visit) {
    target.showAlert(message, onClose: visit.exited)
    visit.entered()
  }

  func exit(from target: Target, visit: Visit) {}
}

@Suite("The article's example and the faults of its controller")
struct SeedOneTests {
  @Test("loading, and a second later alert, alert, loading: all enter one after the other")
  func article() {
    let clock = ManualClock()
    let screen = ArticleScreen(clock)
    let controller = StateController<ArticleScreen>()
    controller.bind(to: screen)

    controller.transition(to: LoadingState())
    clock.advance(by: .seconds(1))
    controller.transition(to: AlertState("Sold out"))
    controller.transition(to: AlertState("Try later"))
    controller.transition(to: LoadingState())
    clock.run()

    #expect(
      screen.lines == [
        "0.0 seconds indicator",
        "1.6 seconds no indicator",
        "1.6 seconds Sold out",
        "3.6 seconds Sold out closed",
        "3.6 seconds Try later",
        "5.6 seconds Try later closed",
        "5.6 seconds indicator",
      ])
    #expect(controller.currentState is LoadingState<ArticleScreen>)
    #expect(controller.phase == .entered)
  }

  @Test("fault 1: of three quick requests, the middle one is not told to exit before it enters")
  func middle() {
    let scene = Scene()
    let loading = ScriptedState("loading", exits: .byHand)
    let content = ScriptedState("content")
    scene.controller.transition(to: loading)
    scene.controller.transition(to: content)
    scene.controller.transition(to: ScriptedState("alert"))
    #expect(scene.screen.lines == ["+loading", "-loading"])
    loading.saysExited()
    #expect(scene.screen.lines == ["+loading", "-loading", "+content", "-content", "+alert"])
  }

  @Test("fault 2: an alert that the user closed while it was alone is not told to exit")
  func alone() {
    let scene = Scene()
    let alert = ScriptedState("alert", exits: .byHand)
    scene.controller.transition(to: alert)
    alert.saysExited()
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+alert", "+content"])
    #expect(scene.controller.phase == .entered)
  }

  @Test("fault 3: a second exit does not end the visit that has entered meanwhile")
  func secondExit() {
    let scene = Scene()
    let alert = ScriptedState("alert")
    scene.controller.transition(to: alert)
    let content = ScriptedState("content", exits: .byHand)
    scene.controller.transition(to: content)
    scene.controller.transition(to: ScriptedState("last"))
    alert.saysExited()
    #expect(scene.log.lines.last == "stray alert exited")
    #expect(!scene.screen.lines.contains("+last"))
    content.saysExited()
    #expect(scene.screen.lines.last == "+last")
  }

  @Test("fault 4: a state with a delayed view is not told to exit before it has entered")
  func putOff() {
    let clock = ManualClock()
    let scene = Scene()
    var steps: [any ScheduledStep] = []
    let loading = ScriptedState(
      "loading", coming: { steps.append(clock.schedule(after: .zero, $0.entered)) },
      leaving: { $0.exited() })
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+loading"])
    clock.run()
    #expect(scene.screen.lines == ["+loading", "-loading", "+content"])
    #expect(
      scene.log.lines.suffix(5) == [
        "entered loading", "exiting loading", "exited loading", "entering content",
        "entered content",
      ])
  }

  @Test("fault 4: requests before there is a view wait for it, and find what they need")
  func beforeTheView() {
    let clock = ManualClock()
    let controller = StateController<ArticleScreen>()
    controller.transition(to: LoadingState())
    controller.transition(to: AlertState("Sold out"))
    let screen = ArticleScreen(clock)
    controller.bind(to: screen)
    clock.run()
    #expect(
      screen.lines == [
        "0.0 seconds indicator", "0.6 seconds no indicator", "0.6 seconds Sold out",
        "2.6 seconds Sold out closed",
      ])
  }

  // Fault 5, a target that does not provide what a state needs, is in `CompileRefusalTests`.
}
