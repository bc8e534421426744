internal import Foundation
import StatyReport

/// The help of the tool and of its verbs, as wide as the terminal.
struct HelpText {
  private let tool: String
  private let width: Int
  /// The column at which descriptions begin, if there is room for two columns.
  private var column: Int { width < 60 ? 6 : 26 }

  init(tool: String, width: Int) {
    self.tool = tool
    self.width = width
  }

  /// The help of the tool as a whole.
  func page(_ groups: [(title: String, verbs: [VerbSpec])], overview: String) -> String {
    var page = paragraph("OVERVIEW: " + overview)
    page += "\n" + paragraph("USAGE: \(tool) <subcommand>")
    page += "\nOPTIONS:\n" + table([OptionSpec.version, .help].map(entry))
    for group in groups {
      page += "\n\(group.title):\n" + table(group.verbs.map { ($0.name, $0.abstract) })
    }
    page += "\nEXIT STATUS:\n" + table(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    page += "\n" + paragraph("See '\(tool) help <subcommand>' for detailed help.", indent: 2)
    return page
  }

  /// The help of one verb on a screen: how it is used, and what only it can do.
  func screen(_ verb: VerbSpec) -> String {
    var screen = paragraph(verb.abstract) + "\n" + examples(of: verb)
    screen += "\n" + paragraph("USAGE: \(tool) \(verb.usage)")
    let common = Set(OptionSpec.common.map(\.long))
    let shown = verb.allOptions.filter { !$0.isHidden }
    let own = shown.filter { !common.contains($0.long) }
    if !own.isEmpty {
      screen += "\nOPTIONS:\n" + table(own.map { (label($0), $0.help.firstSentence) })
    }
    let others = shown.filter { common.contains($0.long) }
      .map { option in option.short.map { "-\($0)" } ?? "--\(option.long)" }
    return screen + "\n"
      + paragraph(
        "Also \(others.joined(separator: ", ")). See '\(tool) help \(verb.name) --all' and "
          + "'\(tool) help options'.")
  }

  /// The options that several verbs have.
  func commonOptions() -> String {
    paragraph("Options that several subcommands have.") + "\nOPTIONS:\n"
      + table(OptionSpec.common.map(entry))
  }

  /// The whole help of one verb.
  func page(_ verb: VerbSpec) -> String {
    var page = paragraph("OVERVIEW: " + verb.abstract)
    for text in verb.discussion.split(separator: "\n\n") {
      page += "\n" + paragraph(String(text))
    }
    page += "\n" + paragraph("USAGE: \(tool) \(verb.usage)")
    if !verb.arguments.isEmpty {
      page += "\nARGUMENTS:\n" + table(verb.arguments.map { ("<\($0.name)>", $0.help) })
    }
    let shown = verb.allOptions.filter { !$0.isHidden }
    page += "\nOPTIONS:\n" + table(shown.map(entry))
    return page + "\n" + examples(of: verb)
  }

  private func examples(of verb: VerbSpec) -> String {
    let examples = Example.all[verb.name] ?? []
    // A command stays on one line, so that it can be copied.
    return "EXAMPLES:\n"
      + examples.map { paragraph($0.what, indent: 2) + "    \(tool) \($0.command)\n" }.joined()
  }

  private func entry(_ option: OptionSpec) -> (String, String) {
    (label(option), option.help + (option.isRepeatable ? " May be repeated." : ""))
  }

  private func label(_ option: OptionSpec) -> String {
    (option.short.map { "-\($0), " } ?? "") + option.called
  }

  private func table(_ rows: [(label: String, text: String)]) -> String {
    rows.flatMap { row in
      let label = "  " + row.label
      let isShort = label.count < column
      let start = DisplayWidth.pad(isShort ? label : "", to: column)
      return (isShort ? [] : [label]) + TextWrap.hanging(row.text, after: start, width: width)
    }.map { $0 + "\n" }.joined()
  }

  private func paragraph(_ text: String, indent: Int = 0) -> String {
    let space = String(repeating: " ", count: indent)
    return TextWrap.lines(text, width: width - indent).map { space + $0 + "\n" }.joined()
  }
}

extension String {
  /// The text up to the end of its first sentence.
  fileprivate var firstSentence: String {
    range(of: ". ").map { self[..<$0.lowerBound] + "." } ?? self
  }
}

extension VerbSpec {
  /// The usage line, after the tool's name.
  var usage: String {
    var words = [name]
    words += options.filter(\.isRequired).map(\.called)
    if !options.allSatisfy({ $0.isHidden || $0.isRequired }) { words.append("[<options>]") }
    return (words + arguments.map(\.called)).joined(separator: " ")
  }
}

extension OptionSpec {
  /// What several verbs have, described for all of them.
  static let common: [OptionSpec] =
    SessionChoice.options + [
      .valued("state", "name", "Only visits of the state with this name.").repeatable,
      .valued(
        "since", "moment",
        "Only from this time on: '10m' before the end of what is recorded, '+1.5s' into the session, "
          + "or a date with a time."),
      .valued("until", "moment|seq", "Only up to this time or this event."),
      .valued("limit", "n", "No more than these; 0 for all."),
      .flag("strict", "Exit with 1 on what is a warning or a question otherwise."),
      .valued("max-steps", "n", "How many steps an order of a search may have."),
      .valued("memory", "size", "How much a search may hold, as in '512M'."),
      .valued("time", "time", "How long a search may take, as in '30s'."),
      .valued("format", "form", "How to print rows: table, json, ndjson, csv or markdown."),
      .flag("json", "Print JSON."),
      .valued("junit", "file", "Write the result as JUnit XML into a file, too."),
    ] + output + ofEveryVerb
}
