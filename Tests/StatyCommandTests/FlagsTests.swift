import Testing

@testable import StatyCommand

@Suite struct FlagsTests {
  private let verb = VerbSpec(
    name: "try", abstract: "Tries.", arguments: [ArgumentSpec(name: "file", help: "A file.")],
    options: [
      .flag("strict", "Strictly."), .valued("output", short: "o", "file", "Where to."),
      .valued("runs", "n", in: -3...10, "How often."), .valued("wait", "time", "How long."),
      .valued("name", "name", "Which.").repeatable,
      .valued("form", "form", choices: RowFormat.allCases.map(\.rawValue), "How."),
      .flag("secret", "Hidden.").hidden, .flag("alone", "Alone.").excluding("strict"),
    ])

  private func parse(_ words: String...) throws -> ParsedArguments {
    try ArgumentParser.parse(words, for: verb)
  }

  private func refusal(_ words: String...) -> String? {
    do throws(UsageError) {
      _ = try ArgumentParser.parse(words, for: verb)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `options and arguments come in any order, with or without an equals sign`() throws {
    for words in [
      ["a", "--strict", "-o", "b", "--runs", "3"], ["--runs=3", "-o=b", "a", "--strict"],
      ["--strict", "--output=b", "--runs=3", "--", "a"],
    ] {
      let parsed = try ArgumentParser.parse(words, for: verb)
      #expect(parsed.words == ["a"])
      #expect(parsed.has("strict"))
      #expect(parsed.text("output") == "b")
      #expect(parsed.number("runs") == 3)
    }
  }

  @Test func `after two hyphens everything is an argument, and one hyphen is one, too`() throws {
    #expect(try parse("--", "--strict").words == ["--strict"])
    #expect(try parse("-").words == ["-"])
    #expect(try parse("-o", "-", "a").text("output") == "-")
    #expect(try parse("a", "--output=-x").text("output") == "-x")
    #expect(try parse("a", "--output=").text("output") == "")
    #expect(try parse("a", "--output=b=c").text("output") == "b=c")
    #expect(try parse("a", "--runs", "-3").text("runs") == "-3")
  }

  @Test func `a word with white space in it is no option, unless it comes in the value`() throws {
    #expect(try parse("-- a = b\nSELECT 1").words == ["-- a = b\nSELECT 1"])
    #expect(try parse("--a\nSELECT 1").words == ["--a\nSELECT 1"])
    #expect(try parse("a", "--output", "-- b").text("output") == "-- b")
    #expect(try parse("a", "--output=b c").text("output") == "b c")
    #expect(refusal("a", "--ouptut=b c") == "Unknown option '--ouptut'. Did you mean '--output'?")
  }

  @Test func `short options share a hyphen if they take no value`() throws {
    #expect(try parse("-qh").has("help"))
    #expect(refusal("-qo", "a") == "The option '-o' takes a value; give it apart from '-qo'.")
    #expect(refusal("-qx", "a") == "Unknown option '-x' in '-qx'.")
  }

  @Test func `what may be repeated keeps every value, and nothing else may be repeated`() throws {
    #expect(try parse("a", "--name", "b", "--name=c").texts("name") == ["b", "c"])
    #expect(refusal("a", "--runs=1", "--runs=2") == "The option '--runs' is given more than once.")
    #expect(refusal("a", "-q", "--quiet") == "The option '--quiet' is given more than once.")
  }

  @Test(arguments: [
    (["a", "--strct"], "Unknown option '--strct'. Did you mean '--strict'?"),
    (["a", "--ouptut", "b"], "Unknown option '--ouptut'. Did you mean '--output'?"),
    (["a", "--nothing-like-it"], "Unknown option '--nothing-like-it'."),
    (["a", "--secrt"], "Unknown option '--secrt'."),
    (["a", "-strict"], "Unknown option '-strict'. Did you mean '--strict'?"),
    (["a", "-x"], "Unknown option '-x'."),
    (["a", "--strict=yes"], "The option '--strict' takes no value, but 'yes' was given."),
    (["a", "--runs"], "Missing value for '--runs <n>'."),
    (["a", "--runs", "--strict"], "Missing value for '--runs <n>'."),
    (["a", "--runs", "-x"], "Missing value for '--runs <n>'."),
    ([], "Missing expected argument '<file>'."),
    (["a", "b"], "Unexpected argument 'b'."),
    (["a", "b", "c"], "2 unexpected arguments: 'b', 'c'."),
  ])
  func `what is not understood is named`(words: [String], message: String) {
    #expect(throws: UsageError(message, verb: verb)) {
      try ArgumentParser.parse(words, for: verb)
    }
  }

  @Test func `values are what they are to be, or the message says what that is`() throws {
    #expect(try parse("a", "--wait=50ms").duration("wait") == 50_000)
    #expect(try parse("a", "--wait=1.5s").duration("wait") == 1_500_000)
    #expect(try parse("a", "--wait=2h").duration("wait") == 7_200_000_000)
    #expect(try parse("a", "--wait=1h1m1.5s").duration("wait") == 3_661_500_000)
    for wrong in ["", "5", "ms", "-1s", "1e3s", "5 s", "1e99d", "999999999999999d"] {
      let message = refusal("a", "--wait=\(wrong)") ?? ""
      #expect(message.contains("Please provide a time"), "\(wrong)")
    }
    #expect(
      refusal("a", "--runs=11")
        == "The value '11' is invalid for '--runs <n>'. Please provide a whole number, -3 to 10.")
    #expect(
      refusal("a", "--form", "cvs")
        == "The value 'cvs' is invalid for '--form <form>'. Did you mean 'csv'?")
    #expect(try parse("a", "--form", "csv").choice("form") == RowFormat.csv)
  }

  @Test func `options that exclude each other are refused together`() throws {
    #expect(refusal("a", "--alone", "--strict") == "'--alone' and '--strict' exclude each other.")
    #expect(try parse("a", "--alone").has("alone"))
  }

  @Test(arguments: [
    "query --views --limit=3", "query --views --param a=1", "query --views --timeout=1s",
    "help show extra",
  ])
  func `what would do nothing is refused`(line: String) {
    let run = Capture(line.split(separator: " ").map(String.init))
    #expect(run.status == .usage && run.out == "", "\(run.out)")
  }

  @Test func `an edit that is wrong is shown as the command line wants it`() {
    for (flag, value, right) in [
      ("--delay", "5", "'--delay 12=50ms'"),
      ("--insert", "12", "'--insert \"after 12: alert\"'"),
    ] {
      let run = Capture(["replay", flag, value, "history.sqlite"])
      #expect(run.status == .usage && run.err.contains("Write \(right)."), "\(run.err)")
    }
  }

  @Test func `help wins over what is missing`() throws {
    #expect(try parse("--help").has("help"))
    #expect(try parse("--version").has("version"))
  }

  @Test(arguments: [("shrink", "minimize"), ("sql", "query"), (#filePath, "check \(#filePath)")])
  func `another tool's word, or a file, in the place of the subcommand gets the right hint`(
    _ written: String, _ meant: String
  ) {
    let run = Capture([written], width: 1_000)
    #expect(run.status == .usage)
    #expect(run.err.contains("Did you mean '\(meant)'?"), "\(run.err)")
  }

  @Test(arguments: [
    ("chekc", "check"), ("dif", "diff"), ("sess", "sessions"), ("replya", "replay"),
    ("xyzzy", nil), ("q", nil),
  ])
  func `a slip is understood, and nonsense is not`(written: String, meant: String?) {
    #expect(Spelling.nearest(to: written, among: ["sessions", "check", "replay", "diff"]) == meant)
  }

  @Test func `unknown verbs and options before one are usage errors`() throws {
    try expectGolden(Capture(["chekc", "a.sqlite"]).transcript, "error-verb")
    try expectGolden(Capture(["check", "--strct", "a.sqlite"]).transcript, "error-option")
    try expectGolden(Capture(["check"]).transcript, "error-missing")
    try expectGolden(Capture(["--quiet", "check"]).transcript, "error-before")
    try expectGolden(
      Capture(["replay", "a.sqlite", "--with", "queu"]).transcript, "error-kind")
    #expect(Capture(["check\u{1b}[2J"]).err.contains("check\\u{1b}[2J"))
  }
}
