import Testing

@testable import StatyHistory
@testable import StatyReading

/// By what words lines name controllers.
@Suite struct NamedControllersTests {
  private func keys(_ names: [String]) -> [String] {
    let records = names.enumerated().map { place, name in
      ControllerRecord(
        id: Int32(place), session: 1, name: name, policy: "queue", discipline: 1, fidelity: 1,
        snapshot: "{}")
    }
    let named = NamedControllers(records)
    return names.indices.map { named.keys[Int32($0)] ?? "" }
  }

  @Test func `several of a name have numbers that no other name has`() {
    #expect(keys(["a", "b"]) == ["a", "b"])
    #expect(keys(["a", "a", "a"]) == ["a", "a#2", "a#3"])
    #expect(
      keys(["a", "a#2", "a", "a", "b", "a#4", "a#2", "a"])
        == ["a", "a#2", "a#3", "a#5", "b", "a#4", "a#2#2", "a#6"])
    #expect(keys(["a#2", "a", "a"]) == ["a#2", "a", "a#3"])
    // Two names for people, and three in the file.
    #expect(keys(["\u{e4}", "a\u{308}", "\u{e4}"]).map(\.unicodeScalars.count) == [1, 2, 3])
  }

  @Test func `very many of a name are numbered without trying each number`() {
    let count = 20_000
    let keys = keys(Array(repeating: "a", count: count))
    #expect(keys == ["a"] + (2...count).map { "a#\($0)" })
  }
}
