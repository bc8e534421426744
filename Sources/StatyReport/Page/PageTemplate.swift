internal import Foundation

/// The page without its data: `page.html` with style and script inserted.
enum PageTemplate {
  /// A part of the page.
  enum Part {
    case text(String)
    /// The place of the data.
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
      // Inserted last, so that nothing inside the script is replaced.
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

  /// The content security policy: nothing is loaded, and only this script and this style are used.
  private static let policy = [
    "default-src 'none'", "script-src '\(hash(script))'", "style-src '\(hash(style))'",
    "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  /// The hash of a script or a style, in the form of the policy.
  static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(Array(text.utf8))).base64EncodedString()
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
