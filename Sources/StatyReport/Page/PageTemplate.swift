internal import Foundation

/// The page without its data: what `page.html` says, with style and script in their places.
enum PageTemplate {
  /// A part of the page.
  enum Part {
    case text(String)
    /// Where the data stands.
    case data
  }

  static let parts: [Part] = {
    let page = text(PackageResources.page_html)
      .replacing("{{policy}}", with: policy)
      .replacing("{{style}}", with: style)
    let halves = page.split(separator: "{{data}}", omittingEmptySubsequences: false)
    precondition(halves.count == 2, "The page has one place for its data.")
    return [
      .text(String(halves[0])), .data,
      // Not in the whole page: what the script says is no place for anything.
      .text(String(halves[1]).replacing("{{script}}", with: script)),
    ]
  }()

  static let style = text(PackageResources.page_css)

  private static let script =
    "\"use strict\";\n"
    + [
      PackageResources.words_js, PackageResources.session_js, PackageResources.lanes_js,
      PackageResources.lists_js, PackageResources.page_js,
    ].map(text).joined()

  /// Nothing is loaded, and nothing runs but this script and this style.
  private static let policy = [
    "default-src 'none'", "script-src '\(hash(script))'", "style-src '\(hash(style))'",
    "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  /// What a policy calls a script or a style by.
  static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(Array(text.utf8))).base64EncodedString()
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
