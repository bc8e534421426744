import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("alive-twice")
struct AliveTwiceTests {
  /// What is found of tracks of one name that were there at these times, in seconds.
  private func found(_ times: ClosedRange<Int64>...) -> [String] {
    let all = times.enumerated().flatMap { number, time in
      [
        (time.lowerBound, EventKind.attached, Int32(number + 1)),
        (time.upperBound, .detached, Int32(number + 1)),
      ]
    }.sorted { ($0.0, $0.2) < ($1.0, $1.2) }
    var checker = SessionChecker(
      session: 1, controllers: times.indices.map { .made(id: Int32($0 + 1), discipline: .moves) })
    for (seq, event) in all.enumerated() {
      checker.take(
        EventRow(
          seq: Int64(seq + 1), time: event.0 * 1_000_000, kind: event.1, controller: event.2))
    }
    return checker.findingsAtEnd(endTime: 100_000_000, isCut: false).map {
      "\($0.controller): " + $0.detail { _ in nil }
    }
  }

  @Test func `two tracks of one name at the same time are noted at the second`() {
    #expect(
      found(0...20, 10...30)
        == ["2: Another track of this name, since event 1, was there at the same time."])
    #expect(found(0...10, 10...30) == [])
  }

  @Test func `one that takes the place of another does not hide a model that is not released`() {
    #expect(
      found(0...11, 10...25, 15...60)
        == ["3: Another track of this name, since event 2, was there at the same time."])
  }

  @Test func `three at the same time are rows of a list`() {
    #expect(found(0...60, 10...60, 20...60) == [])
  }
}
