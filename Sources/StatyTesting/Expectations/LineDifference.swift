/// The difference of two texts, line by line.
enum LineDifference {
  /// The lines of both texts in one list: `-` marks lines that are missing, `+` marks extra lines.
  static func lines(expected: [String], actual: [String]) -> [String] {
    let changes = actual.difference(from: expected)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [String] = []
    var (old, new) = (0, 0)
    while old < expected.count || new < actual.count {
      if removed.contains(old) {
        lines.append("- " + expected[old])
        old += 1
      } else if inserted.contains(new) {
        lines.append("+ " + actual[new])
        new += 1
      } else {
        lines.append("  " + actual[new])
        (old, new) = (old + 1, new + 1)
      }
    }
    return lines
  }
}
