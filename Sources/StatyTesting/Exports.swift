// A test that imports this module also uses states, completions, policies and registries. It should
// not need further imports for them.
@_exported public import Staty
@_exported public import StatyOrders
@_exported public import StatyReplay
@_exported public import StatyRules
