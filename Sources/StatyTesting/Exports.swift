// A test that imports this module names states, completions, policies and registries; nobody is to
// look up in which module of Staty they stand.
@_exported public import Staty
@_exported public import StatyReplay
@_exported public import StatyRules
