import Chance
import Foundation
import Staty
import StatyHistory
import Testing

/// Sessions come in as lines, as engines hand them out, and leave as verdicts.
@Suite struct FilterTests {
  private let place: Place

  init() throws {
    place = try Place()
    var lossy = Story()
    lossy.play()
    lossy.lose(3)
    lossy.add(.enqueued, 9)
    var plain = Story("mine", fidelity: .threeKind)
    plain.add(.enqueued, 1)
    plain.add(.enqueued, 2)
    plain.add(.entered, 1)
    plain.add(.entered, 2)
    try place.write(.clean, .overlapping("queue"), .overlapping("immediate"), lossy, plain)
  }

  private func lines(_ arguments: [String] = []) throws -> [String] {
    try Binary(["export", "history.sqlite"] + arguments, in: place.directory).out
      .split(separator: "\n").map(String.init)
  }

  /// The text of each session as `--partitioned` writes it, without its first line.
  private func partitions() throws -> [[String]] {
    let run = try Binary(["export", "history.sqlite", "--partitioned=parts"], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: place.path("parts")).sorted()
    return try files.filter { $0.hasSuffix(".ndjson") }.map { file in
      try String(contentsOfFile: place.path("parts/" + file), encoding: .utf8)
        .split(separator: "\n").dropFirst().map(String.init)
    }
  }

  private func verdicts(_ lines: [String], _ flags: [String] = []) throws -> [[String: Any]] {
    let run = try Binary(
      ["filter"] + flags, in: place.directory,
      input: lines.map { $0 + "\n" }.joined())
    #expect(run.status == 0)
    #expect(run.err == "")
    return try run.out.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// What identifies a verdict: the session, what is said of it and where.
  private func summary(_ verdict: [String: Any]) -> String {
    let findings = (verdict["findings"] as? [[String: Any]] ?? []).map {
      "\($0["code"] ?? "")@\($0["seq"] ?? "")"
    }
    return
      "\(verdict["session"] ?? "") \(verdict["verdict"] ?? "") \(verdict["complete"] as? Bool ?? false) "
      + "\(verdict["events"] ?? "") \(verdict["lost"] ?? "") \(findings.joined(separator: " "))"
  }

  @Test func `a session's verdict is what a check of the file says`() throws {
    let check = try Binary(["check", "history.sqlite", "--json"], in: place.directory)
    let told = try #require(
      try JSONSerialization.jsonObject(with: Data(check.out.utf8)) as? [String: Any])
    let sessions = try #require(told["sessions"] as? [[String: Any]])
    let expected = sessions.map { session in
      let losses = session["losses"] as? [[String: Any]] ?? []
      let found = session["findings"] as? [[String: Any]] ?? []
      let word =
        found.contains { $0["severity"] as? String == "error" }
        ? "broken" : found.isEmpty ? "clean" : "warned"
      return summary([
        "session": session["uuid"] ?? "", "verdict": word, "complete": true,
        "events": session["events"] ?? "", "findings": found,
        "lost": losses.reduce(0) { $0 + ($1["count"] as? Int ?? 0) },
      ])
    }
    for flags in [[], ["--replay"]] {
      let found = try verdicts(lines(), flags).map(summary)
      #expect(found == expected)
    }
    #expect(Set(try verdicts(lines()).map { $0["verdict"] as? String }).count > 1)
  }

  @Test func `a replay says what it says of the file`() throws {
    let replay = try Binary(
      ["replay", "history.sqlite", "--json", "--runs=1"], in: place.directory)
    let verdicts = try verdicts(lines(), ["--replay"])
    for verdict in verdicts {
      let uuid = try #require(verdict["session"] as? String)
      let said = try #require(verdict["replay"] as? String)
      let part = replay.out.components(separatedBy: "\"uuid\": ").first {
        $0.hasPrefix("\"\(uuid)\"")
      }
      #expect(part?.contains("\"verdict\": \"\(said)\"") == true, "\(uuid): \(said)")
    }
  }

  @Test func `sessions may be mixed, as long as each is in order`() throws {
    let apart = try verdicts(partitions().joined().map(\.self)).map(summary).sorted()
    var random = SeededRandom(seed: testSeed)
    for _ in 0..<5 {
      var left = try partitions()
      var mixed: [String] = []
      while !left.isEmpty {
        let place = random.below(left.count)
        mixed.append(left[place].removeFirst())
        if left[place].isEmpty { left.remove(at: place) }
      }
      #expect(try verdicts(mixed).map(summary).sorted() == apart)
      #expect(try verdicts(mixed, ["--replay"]).map(summary).sorted() == apart)
    }
  }

  @Test func `of a part nothing is said but what it shows, and that it is one`() throws {
    for session in try partitions() {
      let whole = try #require(try verdicts(session).first)
      let codes = (whole["findings"] as? [[String: Any]] ?? []).map {
        "\($0["code"]!)@\($0["seq"]!)"
      }
      for cut in 1..<session.count {
        for part in [Array(session[..<cut]), Array(session[cut...])] {
          let verdict = try #require(try verdicts(part).first)
          #expect(verdict["complete"] as? Bool == false)
          let problem = "\(verdict["problem"] ?? "") \(part)"
          #expect(["incomplete", "broken"].contains(verdict["verdict"] as? String), "\(problem)")
          if part.count < session.count - cut { continue }
          // Behind a cut at the beginning nothing is found that the whole does not have.
          let found = (verdict["findings"] as? [[String: Any]] ?? []).map {
            "\($0["code"]!)@\($0["seq"]!)"
          }
          let isEnd = part.last == session.last
          #expect(!isEnd || Set(found).isSubset(of: codes), "\(found)")
        }
      }
    }
  }

  @Test func `a line that makes no sense is told of in its session's verdict, and others go on`()
    throws
  {
    var mixed = try Array(partitions().joined())
    let broken = try #require(mixed.firstIndex { $0.contains("\"kind\":\"entering\"") })
    mixed[broken] = mixed[broken].replacingOccurrences(of: "\"entering\"", with: "\"entring\"")
    mixed.insert("no json", at: 0)
    let verdicts = try verdicts(mixed)
    let unreadable = verdicts.filter { $0["verdict"] as? String == "unreadable" }
    #expect(verdicts.count == 6)
    #expect(unreadable.map { $0["line"] as? Int } == [1, broken + 2])
    #expect(unreadable.map { $0["session"] is NSNull } == [true, false])
  }

  @Test func `a session that begins after lines of it has one verdict, which says so`() throws {
    var session = try #require(partitions().first)
    session.swapAt(0, 1)
    let verdicts = try verdicts(session)
    #expect(verdicts.map { $0["verdict"] as? String } == ["unreadable"])
    #expect((verdicts[0]["problem"] as? String)?.contains("begins after lines of it") == true)
  }

  @Test func `what a newer version wrote has a verdict a session, and it says where that begins`()
    throws
  {
    let newer = try partitions().joined().map {
      $0.replacingOccurrences(of: "\"version\":1", with: "\"version\":2")
    }
    let found = try verdicts(newer)
    #expect(found.count == (try partitions().count))
    #expect(found.allSatisfy { $0["verdict"] as? String == "unreadable" })
    #expect(Set(found.compactMap { $0["session"] as? String }).count == found.count)
    #expect(found.first?["line"] as? Int == 1)
  }

  @Test func `a session with a hole, or cut within a line, is judged by what is there`() throws {
    let session = try #require(
      partitions().first { session in session.filter { $0.contains("\"entering\"") }.count > 1 })
    var holed = session
    let place = try #require(holed.lastIndex { $0.contains("\"kind\"") })
    holed.remove(at: place - 1)
    let verdict = try #require(try verdicts(holed).first)
    #expect(["incomplete", "broken"].contains(verdict["verdict"] as? String))
    #expect(verdict["complete"] as? Bool == false)
    let text = session.map { $0 + "\n" }.joined()
    let begin = try #require(text.range(of: session[session.count - 2])).lowerBound
    for length in stride(from: 1, to: session[session.count - 2].count, by: 9) {
      let run = try Binary(
        ["filter"], in: self.place.directory,
        input: String(text[..<text.index(begin, offsetBy: length)]))
      #expect(!run.out.contains("unreadable"), "\(length): \(run.out)")
      #expect(run.out.split(separator: "\n").count == 1)
    }
  }

  @Test func `what a killed one leaves behind, the next removes`() throws {
    let scratch = place.path("scratch")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: scratch) }
    let killed = Process()
    killed.executableURL = URL(fileURLWithPath: Binary.path)
    killed.arguments = ["filter", "--replay"]
    killed.environment = ["TMPDIR": scratch]
    let input = Pipe()
    killed.standardInput = input
    try killed.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data(lines().prefix(4).map { $0 + "\n" }.joined().utf8))
    let isThere = {
      try left().contains { FileManager.default.fileExists(atPath: "\(scratch)/\($0)/lock") }
    }
    for _ in 0..<3_000 where try !isThere() { usleep(10_000) }
    try #require(try isThere())
    // Who is at work is left alone.
    let other = try Binary(
      ["filter", "--replay"], in: place.directory, environment: ["TMPDIR": scratch], input: "\n")
    #expect(try other.status == 0 && left().count == 1)
    kill(killed.processIdentifier, SIGKILL)
    killed.waitUntilExit()
    #expect(try left().count == 1)
    _ = try Binary(
      ["filter", "--replay"], in: place.directory, environment: ["TMPDIR": scratch], input: "\n")
    #expect(try left() == [])
  }

  @Test func `of a line that is too long no part is taken for a line`() throws {
    let session = try #require(partitions().first)
    let tail = try #require(session.first { $0.contains("\"enqueued\"") })
    let long = String(repeating: "x", count: 33 << 20) + tail
    let verdicts = try verdicts([long] + session)
    #expect(verdicts.map { $0["verdict"] as? String } == ["unreadable", "clean"])
    #expect(verdicts[1]["events"] as? Int == (try self.verdicts(session))[0]["events"] as? Int)
  }

  @Test func `of many sessions the oldest is broken off when there are too many`() throws {
    let sessions = try partitions()
    let mixed = sessions.map { $0[0] } + sessions.flatMap { $0.dropFirst() }
    let found = try verdicts(mixed, ["--most-open=1"])
    #expect(found.prefix(sessions.count - 1).allSatisfy { $0["complete"] as? Bool == false })
    #expect(
      try verdicts(mixed).map(summary).sorted()
        == verdicts(sessions.joined().map(\.self)).map(summary).sorted())
  }

  @Test func `what is written by hand is judged, with no word about sessions`() throws {
    let verdicts = try verdicts([
      #"{"format":"staty-history","version":1}"#,
      #"{"type":"controller","controller":"main","policy":"queue"}"#,
      #"{"kind":"enqueued","controller":"main","state":"a","t_ms":1}"#,
      #"{"kind":"entering","controller":"main","state":"a","t_ms":2}"#,
      #"{"kind":"exiting","controller":"main","state":"a","t_ms":3}"#,
    ])
    #expect(verdicts.count == 1)
    #expect(
      (verdicts[0]["findings"] as? [[String: Any]])?.first?["code"] as? String
        == "exit-before-enter")
  }

  @Test func `nothing in gives nothing out`() throws {
    #expect(try verdicts([]).isEmpty)
    #expect(try verdicts(["", "  "]).isEmpty)
    #expect(try Binary(["filter", "history.sqlite"], in: place.directory).status == 64)
  }
}

/// Sessions become files of their own, for engines that run over many.
@Suite struct PartitionedExportTests {
  private let place: Place

  init() throws { place = try Place() }

  private func files(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: place.path(folder))
      .filter { $0.contains(".ndjson") }.sorted()
  }

  @Test func `each file makes an equal session, and nothing is written twice`() throws {
    var open = Story()
    open.end = .open
    try place.write(.clean, .overlapping("queue"), open, isChecked: true)
    let first = try Binary(["export", "history.sqlite", "--partitioned=out"], in: place.directory)
    #expect(first.err == "Wrote 2 sessions; 0 were there, and 1 are not over.\n")
    let names = try files("out")
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.hasPrefix("app=Shop/date=2025-10-09/") }, "\(names)")
    // One that was being written when the power went is no file of its own.
    try FileManager.default.removeItem(atPath: place.path("out/" + names[1]))
    try Data("half".utf8).write(to: URL(fileURLWithPath: place.path("out/\(names[1]).1.part")))
    let second = try Binary(["export", "history.sqlite", "--partitioned=out"], in: place.directory)
    #expect(second.err == "Wrote 1 session; 1 were there, and 1 are not over.\n")
    for (number, name) in names.enumerated() {
      let copy = "copy-\(number).sqlite"
      #expect(try Binary(["import", "out/" + name, "-o", copy], in: place.directory).status == 0)
      let whole = try Binary(["export", "history.sqlite"], in: place.directory).out
      let lines = try Binary(["export", copy], in: place.directory).out.split(separator: "\n")
      #expect(lines.count > 5)
      // All but the heads, which number sessions and events anew.
      for line in lines.dropFirst(2) { #expect(whole.contains(line), "\(line)") }
    }
  }

  @Test func `hostile names stay below the folder`() throws {
    try place.write(.clean, .clean, .clean, .clean)
    let names = ["../../../up", "/etc/passwd", ".", "a=b/date=\u{1}\n"]
    for (number, name) in names.enumerated() {
      try place.tamper(
        "UPDATE session SET app = '\(name)', uuid = '\(name)' || '\(number)' WHERE id = \(number + 1)"
      )
    }
    let writer = try HistoryWriter(path: place.path())
    for session in 1...4 { try writer.reseal(session: Int64(session)) }
    try writer.close()
    let run = try Binary(["export", "history.sqlite", "--partitioned=out"], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    #expect(try files("out").count == 4)
    let around = try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
    #expect(around == ["history.sqlite", "out"])
  }

  @Test func `flags that exclude each other are refused`() throws {
    try place.write(.clean)
    for flags in [["-o", "x"], ["--format=csv"]] {
      let run = try Binary(
        ["export", "history.sqlite", "--partitioned=out"] + flags, in: place.directory)
      #expect(run.status == 64)
    }
    #expect(try Binary(["export", "history.sqlite", "b.sqlite"], in: place.directory).status == 64)
  }
}
