// An expectation that holds and one that fails, in a program that no library of tests runs.

import StatyTesting

let checkout = try TestScenario(policy: .queue)
let loading = checkout.request("loading")
checkout.expectOrder(.entering(loading))
print("held")
checkout.expectOrder(.entered(loading))
print("passed over")
