import StatyText

/// Throws that follow from a seed, so that equal seeds make equal fleets on every machine.
struct FleetDice {
  private var state: UInt64

  /// The dice of one device: they do not depend on how many others there are.
  init(seed: UInt64, device: Int) {
    state = seed &* 0xD134_2543_DE82_EF95 &+ UInt64(device)
    state = next()
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in a range; the slight unevenness of a remainder does not matter here.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// True so often of a hundred times.
  mutating func chance(_ percent: Int) -> Bool { number(in: 1...100) <= percent }

  /// One of several.
  mutating func one<Thing>(of things: [Thing]) -> Thing {
    things[number(in: 0...things.count - 1)]
  }

  /// A name that no other session has.
  mutating func uuid() -> String { uuidText(next(), next()) }
}
