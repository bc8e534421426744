/// The first place where a session's events are not those that were stored.
package struct ChainDamage: Hashable, Sendable {
  /// What is the matter.
  package enum Kind: String, Hashable, Sendable {
    /// An event, or what its numbers stand for, says something else than it did.
    case changed
    /// An event is gone.
    case missing
    /// An event was never stored by a recorder.
    case added
    /// An event is there that is said to be lost.
    case notLost
    /// An event says that it happened where it cannot have.
    case place
    /// What is said of its visits does not follow from its events.
    case visits
    /// The session's own row or what belongs to it was changed: how it ended, its losses, its length, or its
    /// readings of the wall clock.
    case session
  }

  /// What is the matter.
  package let kind: Kind
  /// The first number in doubt: nothing before it has been touched.
  package let firstSeq: Int64
  /// The last number in doubt.
  ///
  /// A checksum covers a run of events, so more than one number may be in doubt.
  package let lastSeq: Int64

  init(_ kind: Kind, _ first: Int64, through last: Int64? = nil) {
    self.kind = kind
    firstSeq = first
    lastSeq = max(first, last ?? first)
  }
}

extension ChainDamage: CustomStringConvertible {
  /// One sentence.
  package var description: String {
    let place =
      firstSeq == lastSeq ? "at \(firstSeq)" : "somewhere from \(firstSeq) to \(lastSeq)"
    return switch kind {
    case .changed: "an event was changed \(place)"
    case .missing: "an event is missing \(place)"
    case .added: "an event was added \(place)"
    case .notLost: "an event that is said to be lost is there \(place)"
    case .place: "an event lies inside one in which it cannot lie \(place)"
    case .visits: "what is said of the visits does not follow from the events"
    case .session: "what is said of the session beside its events was changed"
    }
  }
}
