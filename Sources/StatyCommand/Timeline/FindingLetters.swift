import StatyReport
import StatyRules

/// The letters in a picture for events that break rules.
struct FindingLetters {
  /// The letter of each guilty event.
  private(set) var marks: LaneDrawing.Marks = [:]
  /// What each letter stands for, in order of the events.
  private(set) var groups: [(letter: Character, findings: [Finding])] = []
  /// The number of findings at events without a letter of their own.
  private(set) var rest = 0

  /// The letter of events that share the last one.
  static let ofRest: Character = "Z"
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXY")

  /// The cell of an event's letter.
  struct Cell: Hashable {
    let lane: VisitLane.Key
    let column: Int
  }

  /// - Parameters:
  ///   - findings: the findings, in order.
  ///   - cells: the cells of their events; events in one cell share a letter, since one would hide
  ///     the other.
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
