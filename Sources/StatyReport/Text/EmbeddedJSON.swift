import StatyText

/// Texts as JSON that may stand anywhere, also within the `script` of a page.
enum EmbeddedJSON {
  /// The text between quotes, without anything that could end a `script` or begin something in a page.
  static func quoted(_ text: String) -> String { JSONText.forPages(JSONText.quoted(text)) }

  /// The text between quotes, or null if there is none.
  static func quoted(_ text: String?) -> String { text.map { quoted($0) } ?? "null" }

  /// A list of texts.
  static func list(_ texts: [String]) -> String {
    "[" + texts.map { quoted($0) }.joined(separator: ",") + "]"
  }
}
