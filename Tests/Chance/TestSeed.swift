import LibC

/// The seed of this run's random tests, which a failure prints: `STATY_SEED`, a number or `random`.
///
/// By default always the same: what has passed passes again, and who breaks something knows that it
/// was they. To look where nobody has looked yet is for the nights.
public let testSeed: UInt64 = {
  guard let value = getenv("STATY_SEED") else { return 20_261_122 }
  let text = String(cString: value)
  if text == "random" { return UInt64.random(in: 1...999_999_999) }
  guard let seed = UInt64(text) else { fatalError("STATY_SEED=\(text) is no number.") }
  return seed
}()

/// How many times as many random things as usual a test tries: `STATY_SWEEP`, for the nights.
public let sweep = getenv("STATY_SWEEP").flatMap { Int(String(cString: $0)) } ?? 1

/// How many of something to try: fewer by day, and as many as `STATY_SWEEP` says times `nightly` else.
public func tries(byDay: Int, nightly: Int) -> Int { sweep > 1 ? nightly * sweep : byDay }
