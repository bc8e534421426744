import Foundation

/// A small generator whose whole course follows from its seed.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below this one.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

/// The seed of this run's random tests: `STATY_SEED`, or a new one each time.
let testSeed: UInt64 = {
  if let text = ProcessInfo.processInfo.environment["STATY_SEED"], let seed = UInt64(text) {
    return seed
  }
  return UInt64.random(in: 1...999_999_999)
}()

/// How many times as many random histories as usual: `STATY_RULES_SWEEP`, for the nights.
let sweep = ProcessInfo.processInfo.environment["STATY_RULES_SWEEP"].flatMap { Int($0) } ?? 1
