import Checkout
import Foundation
import Notices
import Staty
import StatyRecorder

// What the app does: `record-checkout KIND FILE` records a controller of this kind at work.

/// A step that is in and out when somebody says so.
final class SlowStep: CheckoutStep {
  override func enter() {}
  override func exit() {}
}

/// Asks for one more step in the midst of the first that it sees come in.
final class Eager: TransitionObserver {
  private var checkout: CheckoutController?
  init(_ checkout: CheckoutController) { self.checkout = checkout }

  func observe(_ event: borrowing TransitionEvent) {
    if event.kind == .entered { checkout.take()?.show(CheckoutStep("offers")) }
  }
}

/// The opaque controller: a step is asked for while the one before is still coming in.
///
/// - Parameter isOverheard: whether an observer has asked for more by then.
func recordCheckout(_ recorder: HistoryRecorder, isOverheard: Bool = false) {
  let checkout = CheckoutController()
  recorder.attach(to: checkout.probe, as: "checkout")
  if isOverheard {
    let eager = Eager(checkout)
    checkout.probe.events.add(eager)
    checkout.show(CheckoutStep("welcome"))
    checkout.probe.events.remove(eager)
  }
  let (cart, payment, receipt) = (SlowStep("cart"), SlowStep("payment"), CheckoutStep("receipt"))
  checkout.show(cart)
  checkout.show(payment)
  checkout.didEnter(cart)
  checkout.didExit(cart)
  checkout.didEnter(payment)
  checkout.show(receipt)
  checkout.didExit(payment)
  recorder.close()
}

/// A notice that is in when somebody says so.
final class SlowNotice: Notice {
  override func enter() {}
}

/// The controller on the main actor: a notice is asked for while the one before is still coming in.
@MainActor func recordNotices(_ recorder: HistoryRecorder) {
  var steps: [() -> Void] = []
  let notices = NoticeController { steps.append($0) }
  recorder.attach(to: notices.probe, as: "notices")
  for name in ["saved", "offline"] as [StateName] {
    notices.show(SlowNotice(name))
    while !steps.isEmpty { steps.removeFirst()() }
  }
  recorder.close()
}

/// What pages are shown on; it knows the visit that is leaving.
final class Screen {
  var leaving: Visit?
}

final class Page: ScreenState {
  let name: StateName
  init(_ name: StateName) { self.name = name }
  func enter(on screen: Screen, visit: Visit) { visit.entered() }
  func exit(from screen: Screen, visit: Visit) { screen.leaving = visit }
}

/// The policy of the app's own: of those who wait, who asked last comes first.
func recordNewestFirst(_ recorder: HistoryRecorder) {
  let (controller, screen) = (
    StateController<Screen>(policy: StagedPolicy<NewestFirst>()), Screen()
  )
  recorder.attach(to: controller, as: "pages")
  controller.bind(to: screen)
  for name in ["cart", "payment", "receipt", "offers"] as [StateName] {
    controller.transition(to: Page(name))
  }
  for _ in 0..<3 { screen.leaving.take()?.exited() }
  recorder.close()
}

/// A controller with a hidden input: each of ten states leaves when it was shown.
func recordMoody(_ mood: MoodyController.Mood, _ recorder: HistoryRecorder) {
  let controller = MoodyController(mood)
  recorder.attach(to: controller.probe, as: "moody")
  let names: [StateName] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
  for name in names { controller.show(MoodyState(name)) }
  while let shown = controller.shown {
    controller.didEnter(shown)
    controller.didExit(shown)
  }
  recorder.close()
}

guard CommandLine.arguments.count == 3 else { misuse("usage: record-checkout KIND FILE") }
let kind = CommandLine.arguments[1]
let recorder = try HistoryRecorder(at: CommandLine.arguments[2])
switch (kind, MoodyController.Mood(rawValue: kind)) {
case ("checkout", _): recordCheckout(recorder)
case ("overheard", _): recordCheckout(recorder, isOverheard: true)
case ("newest-first", _): recordNewestFirst(recorder)
case ("notices", _): recordNotices(recorder)
case (_, let mood?): recordMoody(mood, recorder)
default: misuse("record-checkout: there is no controller of the kind '\(kind)'")
}

func misuse(_ text: String) -> Never {
  try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  exit(64)
}
