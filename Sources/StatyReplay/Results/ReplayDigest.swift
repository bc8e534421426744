import Staty

/// A hash of everything that a replay told and decided.
///
/// Two runs of a controller without hidden input have the same one, also in other processes.
struct ReplayDigest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(UInt64(byte)) }
    add(0x100)
  }

  mutating func add(_ output: Output) {
    add(UInt64(output.kind.rawValue))
    add(UInt64(output.visit.rawValue))
    add(UInt64(output.reason))
    add(UInt64(bitPattern: output.cause))
    if let refusal = output.refusal { add("\(refusal)") }
  }

  mutating func add(_ difference: Divergence.Difference) {
    add(difference.kind.rawValue)
    for case let output? in [difference.recorded, difference.replayed] { add(output) }
  }
}
