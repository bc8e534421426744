internal import Staty

/// Whether a run shows the same again where a recording does: the hashes of the two have different keys.
struct Likeness {
  private struct Shown: Hashable {
    let track: StateName
    let hash: UInt32
  }

  private var replayed: [Shown: UInt32] = [:]
  private var recorded: [Shown: UInt32] = [:]

  mutating func holds(_ track: StateName, _ record: UInt32, _ replay: UInt32) -> Bool {
    guard record > Fingerprint.unknown, replay > Fingerprint.unknown else { return true }
    let (one, other) = (Shown(track: track, hash: record), Shown(track: track, hash: replay))
    if let known = replayed[one] { return known == replay }
    if recorded[other] != nil { return false }
    (replayed[one], recorded[other]) = (replay, record)
    return true
  }
}
