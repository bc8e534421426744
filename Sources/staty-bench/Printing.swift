import Foundation

/// The figures as a JSON object.
///
/// Baselines are only in the table.
func json(_ figures: [Figure]) -> String {
  let members = figures.filter { !$0.isBaseline }.map { "\"\($0.key)\": \(rounded($0.value))" }
  return "{\(members.joined(separator: ", "))}"
}

/// One line per figure, with its meaning.
func table(_ figures: [Figure]) -> String {
  let width = figures.map(\.key.count).max() ?? 0
  return figures.map { figure in
    let key = figure.key.padding(toLength: width, withPad: " ", startingAt: 0)
    let value = rounded(figure.value)
    return
      "\(key)  \(String(repeating: " ", count: max(0, 12 - value.count)))\(value)  \(figure.meaning)"
  }.joined(separator: "\n")
}

private func rounded(_ value: Double) -> String {
  String(format: value < 10 ? "%.2f" : "%.1f", value)
}

/// Says something that is no figure.
func tell(_ message: String) {
  try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
}

func complain(_ message: String) -> Never {
  tell(message)
  exit(64)
}
