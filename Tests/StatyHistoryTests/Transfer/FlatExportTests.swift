import Staty
import StatyHistory
import Testing

/// Where the text of a session belongs, whatever strangers have called it.
@Suite struct FlatExportTests {
  /// The place of a session of this name and app.
  private func place(_ uuid: String, app: String) throws -> [String] {
    let history = try TemporaryHistory()
    try history.write {
      _ = try $0.beginSession(
        SessionOpening(
          uuid: uuid, app: app, appVersion: "1", os: "", pid: 1, wallTime: 86_400_000_000))
    }
    let reader = try HistoryReader(path: history.path)
    return FlatExport.place(of: try #require(try reader.sessions().first))
  }

  @Test func `names are parts of a path, and lead nowhere else`() throws {
    #expect(
      try place("1A-b_c.d", app: "Shop") == ["app=Shop", "date=1970-01-02", "1A-b_c.d.ndjson"])
    #expect(
      try place("../x", app: "a/b é~") == [
        "app=a%2Fb%20%C3%A9%7E", "date=1970-01-02", "%2E.%2Fx.ndjson",
      ])
    #expect(try place("u", app: "")[0] == "app=__HIVE_DEFAULT_PARTITION__")
  }

  @Test func `long names that begin alike are told apart, and fit into a file system`() throws {
    let long = String(repeating: "é", count: 200)
    let places = try ["", "1", "2"].map { try place(long + $0, app: long + $0) }
    #expect(Set(places.map { $0[0] }).count == 3)
    #expect(Set(places.map { $0[2] }).count == 3)
    #expect(try place(long, app: long) == places[0])
    // The longest that is said as it is, with room for what a draft's name has more.
    let plain = String(repeating: "é", count: 32)
    let longest = try place(plain, app: "")[2]
    #expect(longest == String(repeating: "%C3%A9", count: 32) + ".ndjson")
    #expect(longest.utf8.count <= 255 - 40)
    #expect(places.joined().allSatisfy { $0.utf8.count <= longest.utf8.count })
  }

  @Test func `two names that are one to Swift are two, each with its own policy`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      for (name, policy) in [("\u{e4}", "queue"), ("a\u{308}", "latest")] {
        let controller = try writer.addController(
          session: session, name: name, policy: policy, fidelity: 1, snapshot: "")
        try writer.append([
          EventRow(
            seq: Int64(controller), time: 0, kind: .attached, controller: controller)
        ])
      }
      try writer.endSession(session, .clean)
    }
    let reader = try HistoryReader(path: history.path)
    var text = ""
    try FlatExport(reader).write(try #require(try reader.sessions().first)) { text += $0 }
    let events = text.split(separator: "\n").filter { $0.contains("\"attached\"") }
    #expect(events.count == 2)
    #expect(events.first?.contains("\"queue\"") == true)
    #expect(events.last?.contains("\"latest\"") == true)
  }
}
