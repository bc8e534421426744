import Foundation
import Staty
import Testing

@testable import StatyCommand

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Names come from strangers, and are names wherever they are written.
@Suite struct EscapingTests {
  private let place: Place
  private static let names =
    HostileNames.all + [
      "=1+1", "@SUM(A1)", "b\u{9b}31m", "two\nlines", "\n=1+1", "＝1+1", "＋1", "－1", "＠SUM(A1)",
    ]

  init() throws {
    place = try Place()
    var story = Story("mine\u{202e}", states: Self.names)
    for visit in 1...UInt32(Self.names.count) {
      story.add(.enqueued, visit)
      story.add(.entering, visit)
      if visit % 2 == 0 { story.add(.exiting, visit) }
    }
    try place.write(story)
  }

  private func output(_ arguments: [String]) throws -> String {
    let run = try Binary(arguments, in: place.directory)
    #expect(run.status != 70, "\(arguments): \(run.err)")
    return run.out
  }

  @Test(arguments: [
    ["check"], ["check", "--json"], ["check", "--format=csv"], ["check", "--format=markdown"],
    ["check", "--format=table"], ["check", "--format=ndjson"], ["check", "--oneline"],
    ["check", "--junit=out.xml", "--force"], ["replay"], ["replay", "--json"],
    ["replay", "--what-if"],
    ["diff", "history.sqlite"], ["sessions"], ["doctor"], ["show"], ["show", "--format=markdown"],
    ["show", "--format=csv"], ["show", "--json"], ["stats"], ["stats", "dwell"],
    ["stats", "waits"], ["stats", "transitions"], ["stats", "slowest"],
    ["stuck"], ["stuck", "--json"], ["timeline"], ["timeline", "--svg"], ["play", "--at=9"],
    ["timeline", "--svg", "--finding=#4"], ["graph"], ["graph", "--sequence"], ["explore"],
    ["test"], ["export"],
  ])
  func `names that command a terminal reach it as text`(_ arguments: [String]) throws {
    let run = try Binary(arguments + ["history.sqlite"], in: place.directory)
    let hostile = (run.out + run.err).unicodeScalars.filter { scalar in
      scalar.value < 0x20 && scalar != "\n" && scalar != "\r"
        || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x202e
    }
    #expect(hostile.isEmpty, "\(hostile)")
    #expect(run.status != 70)
    #expect(!(run.out + run.err).isEmpty)
  }

  @Test func `a command line that is advised has each name as one word`() throws {
    for name in Self.names + ["-rf", "=x", "it's", ""] {
      let option = ShellWords.option("--controller", name)
      for (words, expected) in [
        ([ShellWords.quoted(name)], name.visible),
        (option, (option.count == 1 ? "--controller=" : "") + name.visible),
      ] {
        let run = try Binary(
          program: "/bin/sh", ["-c", "printf '%s\\n' " + words.joined(separator: " ")])
        #expect(run.err.isEmpty, "\(words)")
        #expect(
          Array(run.out.utf8).suffix(expected.utf8.count + 1) == Array((expected + "\n").utf8)[...])
      }
    }
  }

  @Test func `the line of a test that is advised is Swift, whatever the file is called`() {
    for (path, name) in [
      ("Histories/sign-out.sqlite", #""sign-out""#), (#"a"b\c.sqlite"#, #""a\"b\\c""#),
      (#"\(exit(1)).sqlite"#, #""\\(exit(1))""#),
    ] {
      #expect(NextSteps.testLine(path) == "expectOneOutcome(\(name), in: .app)")
    }
  }

  @Test func `names that are one to Swift are called alike by two processes`() throws {
    let place = try Place()
    var story = Story("queue", states: ["\u{e9}", "e\u{301}", "K", "\u{212a}"])
    for visit in 1...UInt32(4) {
      story.add(.enqueued, visit)
      story.add(.entering, visit)
      story.add(.entered, visit)
      story.add(.exiting, visit)
      story.add(.exited, visit)
    }
    try place.write(story)
    for _ in 1...3 {
      let run = try Binary(["replay", "history.sqlite"], in: place.directory)
      #expect(!run.out.contains("in another process"), "\(run.out)")
    }
  }

  @Test func `what is JSON gives the names back as they are`() throws {
    let sql = "SELECT DISTINCT state FROM history WHERE state IS NOT NULL"
    for arguments in [
      ["show", "history.sqlite"], ["query", "history.sqlite", sql],
      ["stats", "waits", "history.sqlite"],
    ] {
      let rows = try #require(
        try JSONSerialization.jsonObject(with: Data(output(arguments + ["--json"]).utf8))
          as? [[String: Any]], "\(arguments)")
      #expect(Set(rows.compactMap { $0["state"] as? String }) == Set(Self.names), "\(arguments)")
      let lines = try output(arguments + ["--format=ndjson"]).split(separator: "\n").map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      #expect(
        Set(lines.compactMap { $0?["state"] as? String }) == Set(Self.names), "\(arguments)")
    }
    let exported = try output(["export", "history.sqlite"]).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(Set(exported.compactMap { $0?["state"] as? String }) == Set(Self.names))
  }

  @Test func `JUnit's XML has as many cases as there are findings, and nothing else in it`() throws
  {
    _ = try output(["check", "history.sqlite", "--junit=out.xml"])
    let findings = try output(["check", "history.sqlite", "--format=ndjson"]).split(separator: "\n")
    let reading = try elements(of: "out.xml")
    #expect(findings.count >= Self.names.count / 2)
    #expect(reading.elements["testcase"] == findings.count)
    let known = ["testsuites", "testsuite", "testcase", "failure", "error", "system-out"]
    #expect(reading.elements.keys.filter { !known.contains($0) } == [])
  }

  @Test func `an SVG picture is well-formed, and holds nothing that runs`() throws {
    _ = try output(["timeline", "history.sqlite", "--svg", "-o", "out.svg"])
    let reading = try elements(of: "out.svg")
    let known = ["svg", "title", "style", "rect", "text", "circle"]
    #expect(reading.elements.keys.filter { !known.contains($0) } == [])
    #expect(reading.elements["text", default: 0] > Self.names.count)
  }

  private func elements(of file: String) throws -> ElementCount {
    let reading = ElementCount()
    let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: place.path(file))))
    parser.delegate = reading
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return reading
  }

  @Test func `a spreadsheet takes no cell for a formula`() throws {
    for arguments in [["show"], ["query", "SELECT state, kind FROM history"]] {
      var words = arguments
      words.insert("history.sqlite", at: 1)
      let rows = Self.cells(try output(words + ["--format=csv"]))
      #expect(Set(rows.map(\.count)).count == 1, "\(arguments): rows of another length")
      #expect(rows.count > Self.names.count, "\(arguments)")
      let formulas = rows.joined().filter { "=+-@\t\r\n＝＋－＠".contains($0.first ?? " ") }
      #expect(formulas.filter { Double($0) == nil } == [], "\(arguments)")
    }
  }

  /// The cells of a text in CSV, as RFC 4180 has it.
  private static func cells(_ text: String) -> [[String]] {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"" where isQuoted && rest.first == "\"":
        rest.removeFirst()
        rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(scalar)
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: rows[rows.count - 1].append("")
      case "\r" where !isQuoted: continue
      case "\n" where !isQuoted: rows.append([""])
      default: rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(scalar)
      }
    }
    return rows.filter { $0 != [""] }
  }
}

/// Counts the elements of an XML document.
private final class ElementCount: NSObject, XMLParserDelegate {
  private(set) var elements: [String: Int] = [:]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    elements[name, default: 0] += 1
  }
}
