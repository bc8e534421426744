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

  /// The help of one verb.
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
    let examples = Example.all[verb.name] ?? []
    // A command stays on one line, so that it can be copied.
    return page + "\nEXAMPLES:\n"
      + examples.map { paragraph($0.what, indent: 2) + "    \(tool) \($0.command)\n" }.joined()
  }

  private func entry(_ option: OptionSpec) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? ""
    return (short + option.called, option.help + (option.isRepeatable ? " May be repeated." : ""))
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

extension VerbSpec {
  /// The usage line, after the tool's name.
  var usage: String {
    var words = [name]
    words += options.filter(\.isRequired).map(\.called)
    if !options.allSatisfy({ $0.isHidden || $0.isRequired }) { words.append("[<options>]") }
    return (words + arguments.map(\.called)).joined(separator: " ")
  }
}
