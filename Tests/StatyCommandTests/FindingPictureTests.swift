import Foundation
import Staty
import StatyCommand
import StatyHistory
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What `timeline --svg --finding` draws.
@Suite struct FindingPictureTests {
  private let place: Place

  init() throws { place = try Place() }

  /// The elements of a picture that matter here.
  private final class Picture: NSObject, XMLParserDelegate {
    private(set) var arrows: [String] = []
    private(set) var letters: [(x: Int, y: Int)] = []
    /// The places of texts that are event numbers.
    private(set) var numbers: [String: Int] = [:]
    private(set) var elements: Set<String> = []
    private var x: Int?
    private var text = ""

    init(_ svg: String) throws {
      super.init()
      let parser = XMLParser(data: Data(svg.utf8))
      parser.delegate = self
      try #require(parser.parse(), "\(String(describing: parser.parserError))")
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      elements.insert(name)
      text = ""
      x = attributes["class"] == "soft middle" ? attributes["x"].flatMap { Int($0) } : nil
      if attributes["class"] == "arrow" { arrows.append(attributes["d"] ?? "") }
      if name == "circle" {
        letters.append((Int(attributes["cx"] ?? "") ?? 0, Int(attributes["cy"] ?? "") ?? 0))
      }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      if name == "text", let x { numbers[text] = x }
      x = nil
    }

    /// Whether its one arrow leads from an event to the letter at another.
    func leads(from cause: Int, to guilty: Int) -> Bool {
      let ends = arrows.first?.split { " ,".contains($0) }.compactMap { Int($0) } ?? []
      return arrows.count == 1 && letters.count == 1 && ends.count == 8
        && ends[0] == numbers["\(cause)"] && letters[0].x == numbers["\(guilty)"]
        && abs(ends[6] - letters[0].x) < 30 && abs(ends[7] - letters[0].y) < 10
    }
  }

  private func picture(_ finding: String, _ file: String = "history.sqlite") throws -> Picture {
    let run = try Binary(
      ["timeline", "--svg", "--finding=\(finding)", file], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    return try Picture(run.out)
  }

  @Test func `a finding is drawn with what happened around it`() throws {
    try place.write(.overlapping("mine"))
    try place.expect(
      ["timeline", "--svg", "--finding=overlap", "history.sqlite"], "timeline-finding", status: 0)
  }

  @Test(arguments: [
    ("sign-out", "late-answer", 5, 11), ("deep-link", "7", 3, 7), ("two-alerts", "mirror", 8, 13),
    ("purchases", "overlap", 5, 7), ("presentation", "double-exit", 7, 8),
  ])
  func `one arrow leads from what is to blame to what is wrong`(
    file: String, what: String, cause: Int, guilty: Int
  ) throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "tour"], in: place.directory)
    let drawn = try picture(what, "tour/\(file).sqlite")
    #expect(drawn.leads(from: cause, to: guilty), "\(drawn.arrows) \(drawn.numbers)")
  }

  @Test(arguments: [
    ("second-last", "never-entered", 13, 8), ("unknown-key", "#2", 9, 5),
    ("appeared-twice", "double-enter", 2, 4),
  ])
  func `what a visit waits for is to blame, too, though it comes later`(
    file: String, what: String, cause: Int, guilty: Int
  ) throws {
    _ = try Binary(["demo", "-q", "-o", "tour"], in: place.directory)
    let drawn = try picture(what, "tour/\(file).sqlite")
    #expect(drawn.leads(from: cause, to: guilty), "\(drawn.arrows) \(drawn.numbers)")
  }

  @Test func `where nothing else is to blame there is no arrow`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "tour"], in: place.directory)
    let drawn = try picture("never-entered", "tour/banners.sqlite")
    #expect(drawn.arrows.isEmpty && drawn.letters.count == 1)
  }

  @Test func `what is far away is left out, and the gap is marked`() throws {
    var story = Story("mine")
    let first = story.add(.enqueued, 1)
    for visit in 2...200 as ClosedRange<UInt32> { story.add(.enqueued, visit) }
    story.add(.entering, 1, cause: first)
    story.add(.entering, 2, cause: first)
    try place.write(story)
    let drawn = try picture("203")
    #expect(drawn.leads(from: 2, to: 203))
    #expect(drawn.numbers["…"] != nil && drawn.numbers.count <= 16, "\(drawn.numbers)")
  }

  @Test func `hostile names are text in it`() throws {
    var story = Story("mine\u{202e}", states: HostileNames.all)
    for visit in 1...UInt32(HostileNames.all.count) {
      story.add(.enqueued, visit)
      story.add(.entering, visit)
    }
    try place.write(story)
    for visit in 1...HostileNames.all.count {
      let drawn = try picture("#\(visit)")
      let known: Set = ["svg", "title", "style", "rect", "text", "circle", "line", "path"]
      #expect(drawn.elements.isSubset(of: known), "\(drawn.elements)")
    }
  }

  @Test func `what cannot be drawn is told of`() throws {
    let path = try place.write(.overlapping())
    let alone = Capture(["timeline", "--finding=overlap", path])
    #expect(alone.status == .usage && alone.err.contains("add '--svg'"))
    #expect(Capture(["timeline", "--svg", "--finding=9", "--since=1s", path]).status == .usage)
    let misspelled = Capture(["timeline", "--svg", "--finding=overlapp", path])
    #expect(misspelled.err.contains("Did you mean 'overlap'?"), "\(misspelled.err)")
    #expect(Capture(["timeline", "--svg", "--finding=99", path]).status == .usage)
    let clean = try place.write(.clean, to: "clean.sqlite")
    #expect(Capture(["timeline", "--svg", "--finding=overlap", clean]).status == .inconclusive)
  }

  /// With `STATY_WRITE_GOLDEN` set the picture is drawn anew instead.
  @Test func `the guide's picture of a late answer is what the tool draws`() throws {
    _ = try Binary(["demo", "gallery", "-q", "-o", "tour"], in: place.directory)
    let run = try Binary(
      ["timeline", "--svg", "--finding=late-answer", "tour/deep-link.sqlite"],
      in: place.directory)
    // It is the same however fast it was recorded.
    let picture = run.out.replacing(/, \+[0-9.]+ s\./, with: ".")
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/StatyCommand/Documentation.docc/Resources/deep-link.svg")
    if ProcessInfo.processInfo.environment["STATY_WRITE_GOLDEN"] != nil {
      try picture.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(try String(contentsOf: file, encoding: .utf8) == picture)
    }
  }
}
