import StatyReport
import StatyRules

/// The letters by which a picture calls the events that break rules.
struct FindingLetters {
  /// The letter of each guilty event.
  private(set) var marks: LaneDrawing.Marks = [:]
  /// What each letter stands for, in order of the events.
  private(set) var groups: [(letter: Character, findings: [Finding])] = []
  /// How many findings are of events that have no letter of their own.
  private(set) var rest = 0

  /// The letter of events for which none is left.
  static let ofRest: Character = "Z"
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXY")

  /// Where the letter of an event stands.
  struct Cell: Hashable {
    let lane: VisitLane.Key
    let column: Int
  }

  /// - Parameters:
  ///   - findings: what the rules found, in order.
  ///   - cells: where their events stand; those in one cell share its letter, since one would hide the
  ///     other.
  init(_ findings: [Finding], cells: [Int64: Cell]) {
    let byCell = Dictionary(grouping: findings.filter { cells[$0.seq] != nil }) { cells[$0.seq]! }
    let groups = byCell.values.map { findings in
      (seq: findings[0].seq, isError: findings.contains { $0.severity == .error }, findings)
    }.sorted { $0.seq < $1.seq }
    // Errors get letters before warnings do.
    let chosen = Set(
      (groups.filter(\.isError) + groups.filter { !$0.isError })
        .prefix(Self.letters.count).map(\.seq))
    for (seq, isError, findings) in groups {
      var letter = Self.ofRest
      if chosen.contains(seq) {
        letter = Self.letters[self.groups.count]
        self.groups.append((letter, findings))
      } else {
        rest += findings.count
      }
      for finding in findings { marks[finding.seq] = (letter, isError) }
    }
  }
}
