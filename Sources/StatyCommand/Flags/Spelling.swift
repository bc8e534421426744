/// Finds the word that was probably meant by a misspelled one.
enum Spelling {
  /// The word that is nearest to the written one, if one is near enough.
  static func nearest(to written: String, among words: [String]) -> String? {
    // At most a third may differ, or every short word would be near every other.
    let most = max(1, min(3, (written.count + 1) / 3))
    let near = words.map { (word: $0, distance: distance(written, $0)) }
      .filter { $0.distance <= most && $0.distance < max(written.count, $0.word.count) }
    if let best = near.min(by: { $0.distance < $1.distance }) { return best.word }
    guard written.count >= 3 else { return nil }
    return words.first { $0.hasPrefix(written) }
  }

  /// The question whether the nearest word is meant, for the end of a message; empty if none is near.
  static func question(_ written: String, among words: [String]) -> String {
    nearest(to: written, among: words).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// The number of letters to insert, remove, change or swap with a neighbour to turn one word into
  /// the other.
  static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one.lowercased())
    let other = Array(other.lowercased())
    var before: [Int] = []
    var above = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var line = [row + 1]
      for (column, second) in other.enumerated() {
        var best = min(above[column + 1] + 1, line[column] + 1)
        best = min(best, above[column] + (letter == second ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == second {
          best = min(best, before[column - 1] + 1)
        }
        line.append(best)
      }
      before = above
      above = line
    }
    return above[other.count]
  }
}
