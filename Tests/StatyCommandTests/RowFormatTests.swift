import Foundation
import Staty
import StatyHistory
import StatySpecimens
import Testing
import StatyReport

@testable import StatyCommand

/// Rows in every form, read back by programs that others wrote.
@Suite struct RowFormatTests {
  private let place: Place

  /// Texts that are cells, and none of them harmless.
  static let texts = [
    "plain", "", " space ", "comma, quote \" and 'apostrophe'", "two\nlines", "tab\there",
    "a,\u{301}b", "x\"\u{301}y", "a|\u{338}b", "<\u{338}>", "日本語", "🙂", "👩‍👩‍👧", "🇩🇪🇫🇷", "1️⃣",
    "e\u{301}\u{302}", "\u{301}first", "שלום", "مرحبا (x)", "\\ back", "NULL", "null", "0012", "é",
    "{\"json\": [1]}", "<b>&amp;</b>", "`code` *bold* _it_ # ~", "a\u{2028}b",
  ]

  init() throws { place = try Place() }

  private func table(_ texts: [String]) -> RowTable {
    var table = RowTable(["name", "n", "x", "none"])
    for (place, text) in texts.enumerated() {
      table.add([.text(text), .whole(place), .number(Double(place) / 7), .nothing])
    }
    return table
  }

  private func text(_ table: RowTable, _ format: RowFormat, width: Int = .max) -> String {
    table.text(format, width: width, style: Style(isOn: false))
  }

  /// What Python makes of a text: the script finds it in `text`, and prints JSON.
  private func python(_ script: String, _ text: String) throws -> [[String]] {
    try Data(text.utf8).write(to: URL(fileURLWithPath: place.path("in")))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import csv, io, json, sys, unicodedata\n"
        + "text = open(sys.argv[1], encoding='utf-8', newline='').read()\n" + script,
      place.path("in"),
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try #require(try JSONSerialization.jsonObject(with: data) as? [[String]])
  }

  @Test func `JSON is read back as it was, by Python`() throws {
    let rows = table(Self.texts)
    let script = "[[r['name'], str(r['n']), repr(r['x']), str(r['none'])] for r in rows]"
    let wanted = Self.texts.enumerated().map { place, text in
      [text, "\(place)", "\(Double(place) / 7)", "None"]
    }
    let json = try python(
      "rows = json.loads(text)\nprint(json.dumps(\(script)))", text(rows, .json))
    #expect(json == wanted)
    let lines = try python(
      "rows = [json.loads(l) for l in text.split('\\n') if l]\nprint(json.dumps(\(script)))",
      text(rows, .ndjson))
    #expect(lines == wanted)
  }

  @Test func `CSV is read back as it was, but for what would command a terminal or spreadsheet`()
    throws
  {
    let texts = Self.texts + ["=1+1", "-5", "@x", "+x", "a\rb", "\u{1b}[31m", "a\r\nb"]
    let read = try python(
      "print(json.dumps(list(csv.reader(io.StringIO(text, newline='')))))", text(table(texts), .csv)
    )
    #expect(read.first == ["name", "n", "x", "none"])
    let wanted = texts.map { text -> String in
      if text == "a\r\nb" { return "a\\u{d}\nb" }
      let lines = text.components(separatedBy: "\n").map(\.visible).joined(separator: "\n")
      return "=+-@".contains(text.first ?? " ") ? "'" + lines : lines
    }
    #expect(read.dropFirst().map { $0[0] } == wanted)
    #expect(read.allSatisfy { $0.count == 4 })
    var single = RowTable(["only"])
    for cell: Cell in [.nothing, .text("a"), .text("")] { single.add([cell]) }
    let rows = try python(
      "print(json.dumps(list(csv.reader(io.StringIO(text, newline='')))))", text(single, .csv))
    #expect(rows == [["only"], [""], ["a"], [""]])
  }

  @Test func `a table of Markdown has as many cells in each line, whatever is in them`() {
    let lines = text(table(Self.texts), .markdown).split(separator: "\n")
    #expect(lines.count == Self.texts.count + 2)
    for line in lines {
      var (bars, isEscaped) = (0, false)
      for scalar in line.unicodeScalars {
        if scalar == "|", !isEscaped { bars += 1 }
        isEscaped = scalar == "\\" && !isEscaped
      }
      #expect(bars == 5, "\(line)")
    }
  }

  @Test func `a moment has one sign`() {
    #expect(Decimal.moment(1_204_000) == "+1.204 s")
    #expect(Decimal.moment(-5_000) == "-0.005 s")
  }

  @Test func `the columns of a table stand below each other`() {
    let lines = text(table(Self.texts), .table).split(separator: "\n")
    let widths = lines.map { line in
      // The column of numbers ends at the same place in each line, measured as a terminal would.
      let bare = String(line.unicodeScalars.filter { ![0x2068, 0x2069].contains($0.value) })
      return DisplayWidth.of(bare)
    }
    let last = lines.dropFirst().map { $0.split(separator: " ").last?.count ?? 0 }
    let starts = zip(widths.dropFirst(), last).map { $0 - $1 }
    #expect(Set(zip(starts, last).map { $0 + $1 }).count == 1)
    for width in [20, 40, 80] {
      for line in text(table(Self.texts), .table, width: width).split(separator: "\n") {
        let bare = String(line.unicodeScalars.filter { ![0x2068, 0x2069].contains($0.value) })
        #expect(DisplayWidth.of(bare) <= width, "\(line)")
      }
    }
  }

  @Test
  func `where there is little room columns that tell rows apart stay, and give of their width`() {
    let columns = ["session", "controller", "state", "note", "total"]
    var table = RowTable(
      columns, foremost: ["state", "total"], identity: ["session", "controller"])
    func lines(_ width: Int) -> [Substring] {
      table.text(.table, width: width, style: Style(isOn: false)).split(separator: "\n")
    }
    func add(_ session: Int64, _ controller: String, _ total: String) {
      table.add([
        .integer(session), .text(controller), .text("downloading"), .text("any"), .figure(total),
      ])
    }
    add(1, "checkout", "95.030 s")
    #expect(lines(22)[1] == "downloading  95.030 s")
    add(2, "checkout", "0.030 s")
    #expect(lines(28)[1] == "      1  download…  95.030 s")
    #expect(table.leftOut(28) == ["controller", "note"])
    add(2, "cart", "0.030 s")
    #expect(lines(37)[1] == "      1  checkout  downloa…  95.030 s")
    #expect(lines(37).allSatisfy { DisplayWidth.of(String($0)) <= 37 })
    // A number is given whole, or not at all.
    #expect(table.leftOut(20) == ["state", "note", "total"])
  }

  @Test func `letters from right to left stay in their column, and hide nothing`() {
    let lines = text(table(["שלום", "x"]), .table).split(separator: "\n")
    #expect(lines[1].hasPrefix("\u{2068}שלום\u{2069}"))
    #expect(!lines[2].contains("\u{2068}"))
    #expect(text(table(["a\u{202e}b\u{2069}"]), .table).contains("a\\u{202e}b\\u{2069}"))
  }

  @Test func `widths are those of Unicode's table, as Python knows it`() throws {
    let scalars = (0x20...0x2ffff).compactMap(Unicode.Scalar.init).filter { scalar in
      switch scalar.properties.generalCategory {
      case .unassigned, .control, .format, .privateUse, .nonspacingMark, .enclosingMark,
        .spacingMark, .lineSeparator, .paragraphSeparator, .surrogate:
        false
      // Those that stand for halves of syllables and flags have a width only together.
      default: !scalar.properties.isEmojiModifier && !(0x1160...0x11ff).contains(scalar.value)
      }
    }
    let script = """
      print(json.dumps([[c, unicodedata.east_asian_width(c)] for c in text
        if unicodedata.category(c) != 'Cn']))
      """
    let known = try python(script, String(String.UnicodeScalarView(scalars)))
    #expect(known.count > 100_000)
    let wrong = known.filter { pair in
      let isFlag = (0x1f1e6...0x1f1ff).contains(pair[0].unicodeScalars.first!.value)
      let wide = ["W", "F"].contains(pair[1]) || isFlag
      return DisplayWidth.of(pair[0]) != (wide ? 2 : 1)
    }
    let told = wrong.prefix(20).map { String($0[0].unicodeScalars.first!.value, radix: 16) }
    #expect(wrong.isEmpty, "\(wrong.count): \(told)")
  }

  @Test func `a stream says what a table says, and does not wait for the end`() throws {
    final class Sink: TextSink {
      var text = ""
      func write(_ text: String) throws(SinkError) { self.text += text }
      func flush() throws(SinkError) {}
    }
    for format in RowFormat.allCases {
      let sink = Sink()
      let console = Console(out: sink, err: Sink())
      let run = ToolRun(
        console: console, isQuiet: true, style: Style(isOn: false), tool: "staty",
        registry: .withSpecimens, executable: nil,
        progress: ProgressLine(console, isQuiet: true))
      let rows = table(Self.texts)
      var stream = RowStream(
        RowTable(rows.columns), format, run: run,
        to: try Delivery(ParsedArguments(verb: SessionsVerb.spec).output, console))
      for row in rows.rows { try stream.add(row) }
      #expect(sink.text.isEmpty == format.isForPeople)
      try stream.finish()
      #expect(sink.text == rows.text(format, width: 80, style: Style(isOn: false)))
    }
  }

  @Test func `keys that are the same are told apart, and numbers beyond JSON's are read back`()
    throws
  {
    var rows = RowTable(["a", "a", "a_2"])
    rows.add([.whole(1), .number(.infinity), .number(-.infinity)])
    let read = try python(
      "print(json.dumps([[k, str(v)] for k, v in json.loads(text)[0].items()]))", text(rows, .json))
    #expect(read == [["a", "1"], ["a_2", "inf"], ["a_2_2", "-inf"]])
  }
}
