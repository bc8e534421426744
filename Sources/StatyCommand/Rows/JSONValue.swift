import StatyText

/// A JSON value. Its objects keep the order of their keys, so that equal results are equal texts.
// Sendable is explicit because the compiler sometimes does not terminate when it has to infer it.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([(key: String, value: JSONValue)])

  static func object(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(pairs.map { (key: $0.key, value: $0.value) })
  }

  /// The text, or null if there is none.
  static func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

  static func whole(_ number: some BinaryInteger) -> JSONValue { .integer(Int64(number)) }

  static func == (one: JSONValue, other: JSONValue) -> Bool { one.line == other.line }

  /// The value in one line.
  var line: String { written(indent: nil) }

  /// The value in many lines, for reading.
  var pretty: String { written(indent: 0) + "\n" }

  /// The value as a part of a text with this indent; in one line without one.
  func written(indent: Int?) -> String {
    var text = ""
    write(to: &text, indent: indent)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += "\(integer)"
    case .number(let number): text += Self.digits(number)
    case .text(let string): text += JSONText.quoted(string)
    case .list(let values):
      Self.bracket(values, "[", "]", to: &text, indent) { $0.write(to: &$1, indent: $2) }
    case .object(let pairs):
      Self.bracket(pairs, "{", "}", to: &text, indent) { pair, text, inner in
        text += JSONText.quoted(pair.key)
        text += indent == nil ? ":" : ": "
        pair.value.write(to: &text, indent: inner)
      }
    }
  }

  /// JSON has no infinity; a number that is too large is read back as infinity.
  private static func digits(_ number: Double) -> String {
    if number.isFinite { return "\(number)" }
    return number.isNaN ? "null" : number < 0 ? "-9e999" : "9e999"
  }

  private static func bracket<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String, _ indent: Int?,
    each: (Element, inout String, Int?) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      breakLine(&text, indent.map { $0 + 2 })
      each(element, &text, indent.map { $0 + 2 })
    }
    if !elements.isEmpty { breakLine(&text, indent) }
    text += close
  }

  private static func breakLine(_ text: inout String, _ indent: Int?) {
    guard let indent else { return }
    text += "\n" + String(repeating: " ", count: indent)
  }
}
