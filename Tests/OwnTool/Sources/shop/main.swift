import Checkout
import Notices
import Staty
import StatyCommand
import StatyReplay
import StatySpecimens

var registry = ControllerRegistry.withSpecimens
registry.register(policy: "newest-first") { StagedPolicy<NewestFirst>() }
for (name, isFixed) in ["checkout": false, "checkout-fixed": true] {
  registry.register(name) { context in
    let checkout = CheckoutController(probe: context.probe, isFixed: isFixed)
    return context.subject(makeState: ScriptedStep.init) { step, _ in checkout.show(step) }
  }
}
registry.registerHiddenInputs()
registry.registerNotices()
registry.registerNotices(as: "notices-fixed", isFixed: true)
StatyTool(registry: registry, name: "shop").main()
