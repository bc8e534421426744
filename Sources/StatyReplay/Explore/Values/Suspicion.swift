/// What a step might be found guilty of.
struct Suspicion: OptionSet {
  let rawValue: UInt16

  static let exitBeforeEnter = Suspicion(rawValue: 1)
  static let overlap = Suspicion(rawValue: 2)
  static let doubleEnter = Suspicion(rawValue: 4)
  static let doubleExit = Suspicion(rawValue: 8)
  static let outOfOrder = Suspicion(rawValue: 16)
  static let undeclared = Suspicion(rawValue: 32)
  static let staleRequest = Suspicion(rawValue: 64)
  static let reentrantRequest = Suspicion(rawValue: 128)
  /// Something that no rule is about by itself, and that may make one speak.
  static let unsound = Suspicion(rawValue: 256)
}
