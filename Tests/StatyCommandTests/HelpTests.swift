import Testing
import StatyReport

@testable import StatyCommand

@Suite struct HelpTests {
  @Test(arguments: [80, 40]) func `the help of the tool fits the terminal`(width: Int) throws {
    let capture = Capture(["--help"], width: width)
    try expectGolden(capture.transcript, "help-\(width)")
    #expect(capture.out.split(separator: "\n").allSatisfy { $0.count <= width })
    #expect(Capture([], width: width).out == capture.out)
    #expect(Capture(["help"], width: width).out == capture.out)
    #expect(Capture(["-h"], width: width).out == capture.out)
  }

  @Test(arguments: VerbTable.verbs.map { $0.spec.name })
  func `the help of a verb can be asked for in three ways`(verb: String) throws {
    let whole = Capture(["help", verb, "--all"])
    try expectGolden(whole.transcript, "help-\(verb)")
    #expect(Capture(["help", "--all", verb]).out == whole.out)
    let capture = Capture(["help", verb])
    // A screen, with nothing in it that the whole does not say.
    let screen = capture.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(screen.count <= 30, "\(capture.out)")
    // Command lines stay on one line, so that they can be copied.
    #expect(screen.allSatisfy { $0.count <= 80 || $0.hasPrefix("    staty ") })
    func words(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    for option in VerbTable.specs.first(where: { $0.name == verb })?.allOptions ?? []
    where !option.isHidden {
      let isCommon = OptionSpec.common.contains { $0.long == option.long }
      let name = option.short.map { "-\($0)" } ?? "--\(option.long)"
      #expect(words(capture.out).contains(isCommon ? name : option.called), "\(name)")
      #expect(words(whole.out).contains(option.called))
    }
    #expect(Capture([verb, "--help"]).out == capture.out)
    #expect(Capture([verb, "x.sqlite", "--strict-or-not", "-h"]).status == .usage)
    #expect(Capture([verb, "-h"]).out == capture.out)
    let narrow = Capture([verb, "-h"], width: 40)
    let lines = narrow.out.split(separator: "\n").filter { !$0.hasPrefix("    staty ") }
    #expect(lines.allSatisfy { $0.count <= 40 })
  }

  @Test(arguments: VerbTable.specs.map(\.name))
  func `the help of a verb ends with two or three examples that are understood`(verb: String) {
    let examples = Example.all[verb] ?? []
    #expect((2...3).contains(examples.count))
    for example in examples {
      // What stands in quotes is one word, as for a shell.
      let words = example.command.split(separator: "'", omittingEmptySubsequences: false)
        .enumerated().flatMap { place, part in
          place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
      #expect(words.first == verb)
      #expect(StatyTool.refusal(of: words) == nil, "\(example.command)")
      #expect(example.what.hasSuffix(":") && example.what.count > 10)
    }
    #expect(Set(Example.all.keys) == Set(VerbTable.specs.map(\.name)))
  }

  @Test func `options of several verbs are described once for all`() throws {
    try expectGolden(Capture(["help", "options"]).transcript, "help-options")
    for option in OptionSpec.common {
      let verbs = VerbTable.specs.filter { $0.allOptions.contains { $0.long == option.long } }
      #expect(verbs.count >= 2, "\(option.long)")
    }
    #expect(Capture(["help", "check", "more"]).status == .usage)
  }

  @Test func `the version is shown wherever it is asked for`() {
    for arguments in [["--version"], ["check", "--version"], ["diff", "--version"]] {
      #expect(Capture(arguments).out == "\(StatyTool.version)\n")
      #expect(Capture(arguments).status == .done)
    }
  }

  @Test func `every option of every verb is explained in a sentence`() {
    for option in VerbTable.specs.flatMap(\.allOptions) where !option.isHidden {
      #expect(option.help.hasSuffix("."), "\(option.long)")
      #expect(option.help.count > 10)
    }
  }

  @Test func `words are wrapped by the columns that they take`() {
    #expect(TextWrap.lines("aa bb cc", width: 10) == ["aa bb cc"])
    #expect(TextWrap.lines("aaaaa bbbbb c", width: 11) == ["aaaaa bbbbb", "c"])
    #expect(TextWrap.lines("日本語 日本語 ab", width: 10) == ["日本語", "日本語 ab"])
    #expect(TextWrap.lines("aaaaaaaaaaaaaaa", width: 10) == ["aaaaaaaaaa", "aaaaa"])
    #expect(DisplayWidth.of("🙂é") == 3)
    #expect(DisplayWidth.cut("日本語", to: 5) == "日本…")
  }
}
