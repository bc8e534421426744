import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRules
import Testing

@testable import StatyCommand

/// The reference is written from what the code itself goes by.
@Suite struct ReferenceTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/StatyCommand/Documentation.docc/Reference")

  /// With `STATY_WRITE_GOLDEN` set the page is brought up to date instead.
  @Test(arguments: Page.allCases) func `a page says what the code says`(page: Page) throws {
    let file = Self.folder.appending(path: "\(page.rawValue).md")
    if ProcessInfo.processInfo.environment["STATY_WRITE_GOLDEN"] != nil {
      try page.text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(try String(contentsOf: file, encoding: .utf8) == page.text)
    }
  }

  @Test func `each guide that advice names is there`() {
    let package = Self.folder.appending(path: "../../../..")
    for guide in Guide.allCases {
      #expect(FileManager.default.fileExists(atPath: package.appending(path: guide.path).path))
    }
  }

  @Test func `everything that has a name is explained`() {
    let sentences = RuleCode.allCases.map(\.sentence) + ExitCode.allCases.map(\.meaning)
    #expect(Set(sentences).count == sentences.count)
  }

  @Test func `the page of events has a row for each kind, with its side, and for each reason`()
    throws
  {
    let page = try String(contentsOf: Self.folder.appending(path: "Events.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
      $0.split(separator: " | ", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "| `")) }
    }
    let kinds = EventKind.allCases.map { [$0.text, $0.side == .note ? "" : "\($0.side)"] }
    let reasons = EventReason.all.map { [$0.kind.text, $0.text] }
    #expect(rows.map { Array($0.prefix(2)) } == kinds + reasons)
    #expect(rows.allSatisfy { $0.count == 3 && $0[2].hasSuffix(".") })
  }

  enum Page: String, CaseIterable {
    case verbs = "Verbs"
    case views = "Views"
    case rules = "Rules"
    case exitStatus = "ExitStatus"
  }
}

extension ReferenceTests.Page {
  var text: String {
    switch self {
    case .verbs:
      page("Verbs", "What `staty` can do, and what each of its options does.")
        + "Every subcommand takes these, too:\n\n" + options(OptionSpec.ofEveryVerb) + "\n"
        + VerbTable.specs.map(section).joined(separator: "\n")
    case .views:
      page("Views", "What programs may read of a history. Tables are private and change.")
        + """
        Views only grow. Each can be filtered by `session`, and is fast then. `staty query --views`
        prints the same; [Querying a recording with SQL](../SQL.md) answers twenty-one questions with them.


        """
        + HistoryViews.names.map { view in
          "`\(view)`: one row per \(HistoryViews.row(of: view))\n\n"
            + table(["column", "says"]) {
              HistoryViews.documentation.filter { $0.view == view }.map {
                ["`\($0.column)`", $0.sentence]
              }
            }
        }.joined(separator: "\n")
    case .rules:
      page(
        "Rules",
        "The rules by which `staty check`, a recorder and a monitor check every history. A monitor follows one track "
          + "or controller: it knows no `mirror`.")
        + table(["code", "severity", "what is right"]) {
          RuleCode.allCases.map { ["`\($0.rawValue)`", $0.severity.rawValue, $0.sentence] }
        } + "\n\(CheckVerb.patience.markdown)\n"
    case .exitStatus:
      page("Exit status", "What `staty` returns to the program that started it.")
        + table(["status", "means"]) {
          ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] }
        }
    }
  }

  private func page(_ title: String, _ abstract: String) -> String {
    "# \(title)\n\n\(abstract)\n\n<!-- Written by a test; see ReferenceTests. -->\n\n"
  }

  private func section(_ verb: VerbSpec) -> String {
    var text = "## staty \(verb.name)\n\n\(verb.abstract)\n\n"
    if !verb.discussion.isEmpty { text += "\(verb.discussion.markdown)\n\n" }
    text += "    staty \(verb.usage)\n\n"
    let own = verb.options.filter { !$0.isHidden }
    if !own.isEmpty { text += options(own) + "\n" }
    return text
      + (Example.all[verb.name] ?? []).map { example in
        "\(example.what.markdown)\n\n    staty \(example.command)\n"
      }.joined(separator: "\n")
  }

  private func options(_ options: [OptionSpec]) -> String {
    table(["option", "does"]) {
      options.map { option in
        let short = option.short.map { "`-\($0)`, " } ?? ""
        return [
          "\(short)`\(option.called)`",
          option.help.markdown + (option.isRepeatable ? " May be repeated." : ""),
        ]
      }
    }
  }

  private func table(_ head: [String], _ rows: () -> [[String]]) -> String {
    let lines = [head, head.map { _ in "---" }] + rows()
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}

extension String {
  /// The text of the help, with what it quotes as code.
  fileprivate var markdown: String {
    replacing(/(^|[\s(])'([^']+)'/) { "\($0.output.1)`\($0.output.2)`" }
      .replacing(/`[^`]*`|[<*_]/) {
        $0.output.hasPrefix("`") ? String($0.output) : "\\\($0.output)"
      }
  }
}
