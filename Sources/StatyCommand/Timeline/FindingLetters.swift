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

  /// - Parameter findings: what the rules found, in order.
  init(_ findings: [Finding]) {
    let bySeq = Dictionary(grouping: findings, by: \.seq)
    let isError = bySeq.mapValues { $0.contains { $0.severity == .error } }
    let seqs = bySeq.keys.sorted()
    // Errors get letters before warnings do.
    let chosen = Set(
      (seqs.filter { isError[$0] == true } + seqs.filter { isError[$0] == false })
        .prefix(Self.letters.count))
    for seq in seqs {
      let findings = bySeq[seq] ?? []
      var letter = Self.ofRest
      if chosen.contains(seq) {
        letter = Self.letters[groups.count]
        groups.append((letter, findings))
      } else {
        rest += findings.count
      }
      marks[seq] = (letter, isError[seq] == true)
    }
  }
}
