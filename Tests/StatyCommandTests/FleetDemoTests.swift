import Foundation
import Testing

/// A fleet is made of a seed, and what is wrong in it is what was planted.
@Suite struct FleetDemoTests {
  private let place: Place

  init() throws { place = try Place() }

  private func make(_ devices: Int, _ folder: String, _ words: String...) throws {
    let run = try Binary(
      ["demo", "--fleet", "\(devices)", "-o", folder] + words, in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    #expect(
      run.err
        == "Made \(devices) file\(devices == 1 ? "" : "s"); '\(folder)/planted.json' lists what was "
        + "planted in them.\n")
  }

  private func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.path(folder))
      .filter { $0.hasSuffix(".sqlite") }.sorted()
  }

  private func plan(_ folder: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: place.path(folder + "/planted.json")))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func text(_ file: String) throws -> String {
    let run = try Binary(["export", file], in: place.directory)
    #expect(run.status == 0, "\(run.err)")
    return run.out
  }

  /// A finding's file, code, controller and event.
  private func mark(_ finding: [String: Any], _ event: String) -> String {
    let file = (finding["file"] as? String ?? "").split(separator: "/").last ?? ""
    return
      "\(file) \(finding["code"] ?? "") \(finding["controller"] ?? "") \(finding[event] ?? "")"
  }

  @Test func `the same seed records the same, however many devices there are`() throws {
    try make(6, "one")
    try make(6, "same")
    try make(3, "fewer", "--seed=2019")
    try make(3, "other", "--seed", "4")
    #expect(try files("one").count == 6)
    for file in try files("one") { #expect(try text("one/" + file) == text("same/" + file)) }
    for file in try files("fewer") {
      #expect(try text("one/" + file) == text("fewer/" + file))
      #expect(try text("one/" + file) != text("other/" + file))
    }
    let paths = ["one", "same"].map { place.path($0 + "/planted.json") }
    #expect(
      try String(contentsOfFile: paths[0], encoding: .utf8)
        == String(contentsOfFile: paths[1], encoding: .utf8))
  }

  @Test func `the rules find what was planted and nothing else, and every session is reproduced`()
    throws
  {
    try make(80, "fleet")
    let planted = try #require(try plan("fleet")["planted"] as? [[String: Any]])
    let paths = try files("fleet").map { "fleet/" + $0 }
    let check = try Binary(["check", "-q", "--format=ndjson"] + paths, in: place.directory)
    #expect(check.status == 1)
    let found = try check.out.split(separator: "\n").map { line in
      let finding = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return mark(try #require(finding), "seq")
    }
    #expect(found.sorted() == planted.map { mark($0, "event") }.sorted())
    // Each device that has a fault of its own, and each of the three that many have.
    #expect(
      Set(planted.map { "\($0["controller"] ?? "")" }) == ["checkout", "onboarding", "search"])
    #expect(
      Set(planted.filter { $0["controller"] as? String == "onboarding" }.map(fileOf)).count == 7)

    let parts = try Binary(["export", "--partitioned=parts"] + paths, in: place.directory)
    #expect(parts.status == 0)
    let lines = try FileManager.default.subpathsOfDirectory(atPath: place.path("parts"))
      .filter { $0.hasSuffix(".ndjson") }
      .map { try String(contentsOfFile: place.path("parts/" + $0), encoding: .utf8) }
    let filter = try Binary(["filter", "--replay"], in: place.directory, input: lines.joined())
    let verdicts = filter.out.split(separator: "\n")
    #expect(verdicts.count == 80)
    #expect(verdicts.allSatisfy { $0.contains(#""complete":true"#) })
    #expect(verdicts.allSatisfy { $0.contains(#""replay":"reproduced""#) })
  }

  private func fileOf(_ finding: [String: Any]) -> String { finding["file"] as? String ?? "" }

  @Test func `versions, systems and controllers differ`() throws {
    try make(40, "fleet")
    let sessions = try files("fleet").map { try text("fleet/" + $0) }
    for key in ["app_version", "os", "policy"] {
      let values = sessions.flatMap { session in
        session.split(separator: "\n").compactMap { line in
          line.components(separatedBy: "\"\(key)\":\"").dropFirst().first?
            .components(separatedBy: "\"").first
        }
      }
      #expect(Set(values).count >= 4, "\(key): \(Set(values))")
    }
  }

  @Test func `an earlier fleet makes room, and what somebody put beside it stays`() throws {
    try make(4, "fleet")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: place.path("fleet/mine.txt")))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: place.path("fleet/device-mine.sqlite")))
    try make(2, "fleet")
    let mine = "device-mine.sqlite"
    #expect(try files("fleet") == ["device-00001.sqlite", "device-00002.sqlite", mine])
    #expect(FileManager.default.fileExists(atPath: place.path("fleet/mine.txt")))
    // A tour is no part of a fleet, nor a fleet of a tour.
    #expect(try Binary(["demo", "-q", "-o", "fleet"], in: place.directory).status == 0)
    let tour = try files("fleet")
    #expect(tour.count > 4 && tour.filter { $0.hasPrefix("device-") } == [mine])
    #expect(!FileManager.default.fileExists(atPath: place.path("fleet/planted.json")))
    try make(2, "fleet")
    #expect(try files("fleet") == ["device-00001.sqlite", "device-00002.sqlite", mine])
  }

  @Test(arguments: [
    ["--seed", "3"], ["--fleet", "0"], ["--fleet", "x"], ["--fleet=2", "--seed=-1"],
  ])
  func `what makes no fleet is refused`(words: [String]) throws {
    let run = try Binary(["demo", "-o", "fleet"] + words, in: place.directory)
    #expect(run.status == 64)
    #expect(!FileManager.default.fileExists(atPath: place.path("fleet")))
  }
}
