// In a program that no library of tests runs: an expectation that holds and one that fails, or code
// that crashes in one order.

import StatyTesting

if CommandLine.arguments.contains("crash") {
  expectOneOutcome { world in
    var user: String? = "me"
    world.user("load") {
      _ = await world.answer("profile", 1)
      print("loaded for \(user!)")
    }
    world.user("sign out") { user = nil }
    world.shows { user }
  }
}

let checkout = try TestScenario(policy: .queue)
let loading = checkout.request("loading")
checkout.expectOrder(.entering(loading))
print("held")
checkout.expectOrder(.entered(loading))
print("passed over")
