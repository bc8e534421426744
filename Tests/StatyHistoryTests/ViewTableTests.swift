import Foundation
import StatyHistory
import Testing

/// The README explains the views with the text that stands beside them.
@Suite struct ViewTableTests {
  private static let readme = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "README.md")
  private static let marks = ("<!-- views: written by a test -->\n", "<!-- end of views -->\n")

  /// With `STATY_WRITE_GOLDEN` set the README is brought up to date instead.
  @Test func `the README's tables of the views are those of the code`() throws {
    let text = try String(contentsOf: Self.readme, encoding: .utf8)
    let first = try #require(text.range(of: Self.marks.0)).upperBound
    let last = try #require(text.range(of: Self.marks.1)).lowerBound
    if ProcessInfo.processInfo.environment["STATY_WRITE_GOLDEN"] != nil {
      let written = text.replacingCharacters(in: first..<last, with: HistoryViews.markdown)
      try written.write(to: Self.readme, atomically: true, encoding: .utf8)
    } else {
      #expect(text[first..<last] == HistoryViews.markdown)
    }
  }

  @Test(arguments: HistoryViews.names)
  func `every view says what a row of it is`(view: String) {
    let others = HistoryViews.names.filter { $0 != view }.map(HistoryViews.row)
    #expect(!others.contains(HistoryViews.row(of: view)))
  }
}
