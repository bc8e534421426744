import Foundation
import StatyGallery
import Testing

/// The gallery's page agrees with the apps: their names, their lines, and what the tests find.
@Suite struct GalleryPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private let page: String
  /// The files of the apps, by their names.
  private let files: [String: String]

  init() throws {
    page = try String(
      contentsOf: Self.root.appending(
        path: "Sources/StatyCommand/Documentation.docc/Gallery.md"), encoding: .utf8)
    var files: [String: String] = [:]
    for folder in ["Apps", "Async"] {
      let place = Self.root.appending(path: "Sources/StatyGallery/\(folder)")
      for file in try FileManager.default.contentsOfDirectory(
        at: place, includingPropertiesForKeys: nil)
      {
        files[file.deletingPathExtension().lastPathComponent] = try String(
          contentsOf: file, encoding: .utf8)
      }
    }
    self.files = files
  }

  /// The page in one line.
  private var text: String {
    page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private var lines: [Substring] { page.split(separator: "\n", omittingEmptySubsequences: false) }

  @Test func `each bug of the demo has its symptom as a heading, and a row of the index`() {
    let text = text
    for bug in KnownBug.all {
      #expect(lines.contains("## \(bug.symptom)"), "\(bug)")
      let isInIndex = text.contains("| [\(bug.symptom)](Gallery.md#")
      #expect(isInIndex, "\(bug)")
      let repository = bug.report.split(separator: " ")[0]
      let isLinked = text.contains("[\(bug.report)](https://github.com/\(repository)/")
      #expect(isLinked, "\(bug)")
    }
  }

  @Test func `each async app has an entry`() {
    let place = Self.root.appending(path: "Sources/StatyGallery/Async")
    let text = text
    let names = files.keys.filter {
      FileManager.default.fileExists(atPath: place.appending(path: "\($0).swift").path)
    }
    #expect(names.count == 10)
    for name in names {
      let isInIndex = text.contains(") | `\(name)` |")
      let hasEntry = page.contains("\n`\(name)`: [")
      #expect(isInIndex && hasEntry, "\(name)")
    }
  }

  /// A line that a version of an app has, without the condition on the version.
  private func versions(of line: String) -> [String] {
    var line = line
    for (part, other) in [
      ("version == .fixed, ", ""), ("version == .reported, ", ""), (" || version == .fixed", ""),
      (" where version == .fixed", ""), (" && version == .fixed", ""),
      ("catch  where", "catch where"), ("public ", ""),
      ("any ", ""),
    ] { line = line.replacing(part, with: other) }
    if let both = line.wholeMatch(of: /if version == \.fixed \{ (.+) \} else \{ (.+) \}/) {
      return ["\(both.1)", "\(both.2)"]
    }
    // A case has to do something.
    if let both = line.wholeMatch(of: /(case .+: )if version == \.reported \{ (.+) \}/) {
      return ["\(both.1)\(both.2)", "\(both.1)break"]
    }
    if let one = line.wholeMatch(of: /(.*?)version == \.fixed \? (.+?) : (.+?)(\)?)/) {
      return ["\(one.1)\(one.2)\(one.4)", "\(one.1)\(one.3)\(one.4)", "\(one.1)\(one.2)"]
    }
    return [line.replacing(/if version == \.(?:fixed|reported) \{ (.+?) \}/) { "\($0.1)" }]
  }

  /// A diff shows what the apps have.
  ///
  /// `…` stands for anything within a line, and a comment says where lines are.
  @Test func `each line of each diff is in an app`() {
    let code = Set(
      files.values.flatMap { $0.split(separator: "\n") }
        .flatMap { versions(of: $0.trimmingCharacters(in: .whitespaces)) })
    var isInside = false
    var count = 0
    for line in lines {
      if line.hasPrefix("```") {
        isInside = line == "```diff"
        continue
      }
      guard isInside, !line.isEmpty else { continue }
      #expect(" +-".contains(line.first!), "\(line)")
      let shown = line.dropFirst().trimmingCharacters(in: .whitespaces)
      guard !shown.isEmpty, !shown.hasPrefix("//"), shown != "}" else { continue }
      count += 1
      let parts = shown.components(separatedBy: "…")
      #expect(
        code.contains {
          parts.count == 1
            ? $0 == shown : $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[parts.count - 1])
        }, "no app has '\(shown)'")
    }
    #expect(count > 80)
  }

  /// Lines of code, and those among them that name something of Staty.
  @Test func `the page counts the lines that are for Staty`() {
    let bugs = [
      "SignOut": "sign-out", "DeepLink": "deep-link", "Playback": "pause",
      "ProgressHUD": "progress-hud", "TwoAlerts": "two-alerts", "TwoPushes": "two-pushes",
      "DoublePop": "double-pop", "Presentation": "presentation", "Banners": "banners",
      "Purchases": "purchases",
    ]
    let text = text
    for (name, file) in files where file.contains("import Staty") {
      let code = file.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && !$0.hasPrefix("//") }
      let staty = code.filter {
        $0.contains(
          /Staty|[Tt]rack|[Pp]robe|RecordedMessage|MessageOrigin|StateName|answering/)
      }
      let row = "| `\(bugs[name] ?? name)` | \(staty.count) of \(code.count) |"
      let isCounted = text.contains(row)
      #expect(isCounted, "\(row)")
      // The demo says so.
      #expect(code.count <= 60, "\(name)")
    }
  }

  /// What the tests of the async apps expect.
  @Test func `the page has the outcomes of the searches`() {
    let text = text
    for line in [
      "1. granted: as usual. 2. refused: if the call 'status of the start' of 'open' is late: behind 'ask'.",
      "1. empty: as usual. 2. written(\"hello\"): if the answer of 'send' to 'send' is late: behind 'come back'.",
      "3. disconnecting: if the call 'the server's end' of 'lose the network' is late: behind 'find the network', "
        + "and the rest of 'lose the network' is late: behind 'find the network' and the call 'the server's end' of",
      "2. [\"a\", \"b\", \"c\"]: if the answer of 'close' to 'close b' is late: behind 'open d elsewhere'.",
      "1. true: as usual. 2. false: if the user does 'open the previews' without waiting for the answer of "
        + "'exchange' to 'open the projects'.",
      "2. false: if the answer of 'exchange' to 'open' is late: behind 'open again' and the answer of 'exchange' to "
        + "'open again'.",
      "1. ready([\"milk\"]): as usual. 2. failed: if the answer of 'stock' to 'open' is late: behind 'leave'.",
      "1. Optional(\"b\"): as usual. 2. Optional(\"a\"): if the answer of 'image a' to 'show a' is late: behind "
        + "'scroll to b' and the answer of 'image b' to 'scroll to b'.",
      "1. false: as usual. 2. true: if the answer of 'set true' to 'tap' is late: behind 'tap (2)' and the answer of "
        + "'set true' to 'tap (2)'.",
    ] {
      let isShown = text.contains(line)
      #expect(isShown, "\(line)")
    }
  }

  @Test func `the page is short`() {
    #expect(page.split(whereSeparator: \.isWhitespace).count <= 4_800)
  }
}
