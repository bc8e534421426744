import Staty
import StatyUIKit
import Testing
import UIKit

/// An app's own discipline: requests made while an alert is shown are refused, others are pending.
private struct AlertFirst: WaitingLine {
  private var waiting: [Request] = []

  static var name: StateName { "alert-first" }

  mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
    let isAlerting = stage.phase != .exited && stage.current?.state == "alert"
    if isAlerting { return .refused(.rejected(.busy)) }
    waiting.append(request)
    return .waits
  }

  mutating func next() -> Request? { waiting.isEmpty ? nil : waiting.removeFirst() }

  mutating func remove(_ visit: VisitNumber) -> Request? {
    waiting.firstIndex { $0.visit == visit }.map { waiting.remove(at: $0) }
  }

  var isEmpty: Bool { waiting.isEmpty }
  func predecessor(of request: Request) -> Request? { waiting.last }
  var requests: [Request] { waiting }
  mutating func restore(_ request: Request) { waiting.append(request) }
}

@MainActor private final class Model: @MainActor StatyViewModel {
  let stateController: StateController<Strict>
  var state: (any ScreenState<Strict>)?

  init(_ stateController: StateController<Strict>) {
    self.stateController = stateController
    observeCurrentState()
  }
}

private final class Strict: UIViewController, @MainActor StateAwareView,
  LoadingStateStrategyProvider, AlertStateStrategyProvider
{
  let viewModel: Model
  let events = EventLines()

  init(_ policy: some TransitionPolicy) {
    viewModel = Model(StateController(policy: policy))
    super.init(nibName: nil, bundle: nil)
    viewModel.stateController.events.add(events)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    bindWithState()
  }

  func ask(for state: some ScreenState<Strict>) {
    viewModel.stateController.transition(to: state)
  }

  var alert: UIAlertController? { presentedViewController as? UIAlertController }
}

@MainActor @Suite struct RejectingTests {
  @Test func `A rejecting controller refuses requests during a transition`() {
    let strict = Strict(RejectPolicy())
    let window = show(strict)
    strict.ask(for: LoadingState())
    // The indicator begins to fade here, and still fades when the next request is made.
    strict.ask(for: AlertState("Sold out"))
    strict.ask(for: AlertState("Try later"))
    UIKitDouble.run()
    #expect(strict.alert?.message == "Sold out")
    #expect(
      strict.events.refusals == [
        "another transition is under way, and the policy has no pending requests"
      ])
    strict.alert?.press("OK")
    UIKitDouble.run()
    #expect(strict.alert == nil)
    strict.ask(for: AlertState("Later"))
    UIKitDouble.run()
    #expect(strict.alert?.message == "Later")
    #expect(UIKitDouble.warnings.isEmpty)
    #expect(window.rootViewController === strict)
  }

  @Test func `An app's own discipline can refuse requests`() {
    let strict = Strict(StagedPolicy<AlertFirst>())
    let window = show(strict)
    strict.ask(for: LoadingState())
    strict.ask(for: AlertState("Sold out"))
    UIKitDouble.run()
    strict.ask(for: LoadingState(name: "reload"))
    #expect(strict.events.lines.last == "discarded reload rejected")
    #expect(strict.viewModel.state?.name == "alert")
    strict.alert?.press("OK")
    UIKitDouble.run()
    strict.ask(for: LoadingState(name: "reload"))
    #expect(strict.viewModel.state?.name == "reload")
    #expect(strict.events.refusals.count == 1)
    #expect(window.rootViewController === strict)
  }
}
