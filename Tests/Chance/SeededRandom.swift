/// Random numbers that are the same for the same seed, on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers of this seed.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below this one.
  ///
  /// The slight unevenness of a remainder does not matter here.
  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True so often of a hundred times.
  public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
