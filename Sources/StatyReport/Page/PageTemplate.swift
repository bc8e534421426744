import CPage

/// The page around its data: `page.html` with style and script inserted.
struct PageTemplate {
  /// The text before the data, and the text after it.
  let (head, tail): (String, String)

  /// A template whose script and style have a new nonce.
  ///
  /// The content security policy loads nothing and lets only elements with the nonce run. A history
  /// is written before the nonce is drawn, so no name in it can contain the nonce.
  init() {
    var random = SystemRandomNumberGenerator()
    let nonce = (0..<2).map { _ in String(random.next(), radix: 16) }.joined()
    let page = String(cString: staty_page_html())
      .replacing("{{nonce}}", with: nonce)
      .replacing("{{style}}", with: String(cString: staty_page_css()))
    let halves = page.split(separator: "{{data}}", omittingEmptySubsequences: false)
    precondition(halves.count == 2, "The page has one place for its data.")
    head = String(halves[0])
    // Inserted last, so that nothing inside the script is replaced.
    tail = String(halves[1]).replacing("{{script}}", with: Self.script)
  }

  private static let script = "\"use strict\";\n" + String(cString: staty_page_scripts())
}
