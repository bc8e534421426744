internal import Staty

/// Which moves of tracks change nothing: a model may set its state anew, or each of several variables.
struct UnchangedMoves {
  private var last: [StateName: (state: StateName, fingerprint: UInt32)] = [:]

  /// Takes the next entry, and says whether its track shows the same as before.
  mutating func takes(_ entry: TrackLog.Entry, _ fingerprint: UInt32) -> Bool {
    guard entry.isChange else { return false }
    let before = last[entry.source]
    if fingerprint != Fingerprint.same { last[entry.source] = (entry.state, fingerprint) }
    guard let before, before.state == entry.state, fingerprint != Fingerprint.unknown else {
      return false
    }
    return fingerprint == Fingerprint.same || fingerprint == before.fingerprint
  }
}
