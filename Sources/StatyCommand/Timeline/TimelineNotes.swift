import StatyReport

/// The app's marks and the gaps in the columns of a timeline, with their texts if there is room.
struct TimelineNotes {
  /// A character for each column.
  let line: [Character]
  /// The meanings of the signs in it.
  let meanings: [String]

  /// `nil` if there is none.
  init?(_ layout: TimelineLayout) {
    let (notes, axis) = (layout.timeline.lanes.notes, layout.axis)
    if notes.isEmpty { return nil }
    var line = Array(repeating: Character(" "), count: axis.width)
    // If several share a column, the last one is drawn.
    var columns: [Int: SessionLanes.Note] = [:]
    for (place, note) in notes.enumerated() {
      let column = axis.place(of: note.seq)
      guard line.indices.contains(column) else { continue }
      columns[column] = note
      line[column] = note.text == nil ? "%" : "*"
      let next = place + 1 < notes.count ? axis.place(of: notes[place + 1].seq) : axis.width
      let text = note.text?.visible ?? "\(Decimal.count(note.lost, "event")) missing"
      // A wide character would move what follows it.
      guard text.allSatisfy({ DisplayWidth.of($0) == 1 }), next - column - 2 >= min(text.count, 6)
      else { continue }
      for (offset, letter) in DisplayWidth.cut(text, to: next - column - 2).enumerated() {
        line[column + 1 + offset] = letter
      }
    }
    self.line = line
    let drawn = columns.values
    meanings =
      (drawn.contains { $0.text != nil } ? ["* a mark"] : [])
      + (drawn.contains { $0.text == nil } ? ["% missing"] : [])
  }

  /// The words in the line, each with the column of its first letter.
  var words: [(column: Int, text: String)] {
    var words: [(column: Int, text: String)] = []
    for (column, letter) in line.enumerated() where letter != " " {
      if column > 0, line[column - 1] != " ", !words.isEmpty {
        words[words.count - 1].text.append(letter)
      } else {
        words.append((column, String(letter)))
      }
    }
    return words
  }
}
