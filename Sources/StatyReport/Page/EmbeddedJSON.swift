import StatyText

/// Writes texts as JSON that is safe inside a page's `script` element.
enum EmbeddedJSON {
  /// The text as a JSON string that cannot end a `script` element or contain HTML.
  static func quoted(_ text: String) -> String { JSONText.forPages(JSONText.quoted(text)) }

  /// The text as a JSON string, or `null`.
  static func quoted(_ text: String?) -> String { text.map { quoted($0) } ?? "null" }

  /// The texts as a JSON list.
  static func list(_ texts: [String]) -> String {
    "[" + texts.map { quoted($0) }.joined(separator: ",") + "]"
  }
}
