import Checkout
import Foundation
import StatySpecimens
import StatyTesting

extension ControllerRegistry {
  /// The controllers as they are, with their bugs; with `STATY_MENDED=1` as they are once mended.
  static var underTest: ControllerRegistry {
    let isMended = ProcessInfo.processInfo.environment["STATY_MENDED"] == "1"
    var registry = ControllerRegistry.withSpecimens
    for name in isMended ? ["checkout", "staty-2019", "presenter"] : ["checkout"] {
      registry.register(name) { context in
        let checkout = CheckoutController(probe: context.probe, isPatient: isMended)
        return context.subject(makeState: ScriptedStep.init) { step, _ in checkout.show(step) }
      }
    }
    // Its states are in when the calls return, which they only say to a controller that listens.
    if isMended { registry.register(policy: "keyed-2015") { QueuePolicy() } }
    return registry
  }
}
