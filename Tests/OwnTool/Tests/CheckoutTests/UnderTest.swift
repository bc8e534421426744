import Checkout
import Foundation
import Notices
import StatySpecimens
import StatyTesting

extension ControllerRegistry {
  /// The controllers as they are, with their bugs; with `STATY_FIXED=1` as they are once fixed, and
  /// with `STATY_FIXED=latest` fixed so that of those who wait the newest is let in.
  @MainActor static var underTest: ControllerRegistry {
    let right = ProcessInfo.processInfo.environment["STATY_FIXED"]
    let isMended = right == "1"
    var registry = ControllerRegistry.withSpecimens
    for name in isMended ? ["checkout", "staty-2019", "presenter"] : ["checkout"] {
      registry.register(name) { context in
        let checkout = CheckoutController(probe: context.probe, isFixed: isMended)
        return context.subject(makeState: ScriptedStep.init) { step, _ in checkout.show(step) }
      }
    }
    registry.registerNotices(isFixed: isMended)
    if right == "latest" { registry.register(policy: "staty-2019") { LatestPolicy() } }
    // Its states are in when the calls return, which they only say to a controller that listens.
    if isMended { registry.register(policy: "keyed-2015") { QueuePolicy() } }
    return registry
  }
}
