import LibC

/// The seed of this run's random tests, which a failure prints: `STATY_SEED`, a number or `random`.
///
/// By default it is always the same, so a test fails only if the code has changed. `.ci/nightly` chooses
/// a random one.
public let testSeed: UInt64 = {
  guard let value = getenv("STATY_SEED") else { return 20_261_122 }
  let text = String(cString: value)
  if text == "random" { return UInt64.random(in: 1...999_999_999) }
  guard let seed = UInt64(text) else { fatalError("STATY_SEED=\(text) is no number.") }
  return seed
}()

/// How many times as many random cases as usual a test tries: `STATY_SWEEP`, which `.ci/nightly` sets.
public let sweep = getenv("STATY_SWEEP").flatMap { Int(String(cString: $0)) } ?? 1

/// How many cases a test tries: `usual`, or `nightly` times `STATY_SWEEP` if that is set.
public func tries(usual: Int, nightly: Int) -> Int { sweep > 1 ? nightly * sweep : usual }
