import StatyReport

extension Style {
  /// Lanes with colors, if the terminal shows them; the characters are enough without.
  func paint(_ cells: [LaneCell]) -> String {
    guard isOn else { return String(cells.map(\.character)) }
    var text = ""
    var rest = cells[...]
    while let ink = rest.first?.ink {
      let run = rest.prefix { $0.ink == ink }
      text += paint(String(run.map(\.character)), ink)
      rest = rest.dropFirst(run.count)
    }
    return text
  }

  private func paint(_ text: String, _ ink: LaneCell.Ink) -> String {
    switch ink {
    case .blank: text
    case .phase(.pending), .unknown: dim(text)
    case .phase(.current): good(text)
    case .phase(.entering), .phase(.exiting): attention(text)
    case .phase: text
    case .sign: bold(text)
    case .stuck: error(text)
    case .finding(let severity): painted(text, severity)
    }
  }
}
