// The classes of this module are used with the states, policies and events of `Staty`, so that one
// import is enough.
@_exported public import Staty
