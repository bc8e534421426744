import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("double-push")
struct DoublePushTests {
  /// Two elements of a path, the second some time after the first.
  private func path(
    _ states: (Int32, Int32), milliseconds: Int64, isSame: Bool = false, byMessage: Bool = true,
    hasTop: Bool = false, byOne: Bool = false, byTask: Bool = false
  ) -> [String] {
    let controllers: [ControllerRecord] = [1, 2].map { .made(id: $0, discipline: .moves) }
    var checker = SessionChecker(session: 1, controllers: controllers)
    var (seq, now) = (Int64(0), Int64(0))
    func add(_ kind: EventKind, _ visit: UInt32 = 0, _ state: Int32 = 0, first: UInt32 = 0) {
      seq += 1
      var detail = FoldedDetail()
      detail.instance = first
      var row = EventRow(
        seq: seq, time: now, kind: kind,
        reason: kind == .moved ? EventReason.movedPush.code : 0, controller: 1, visit: visit,
        state: state, cause: byOne && kind == .moved ? 2 : 0)
      if byTask, kind == .moved { row.ownCause = 2 }
      checker.take(row, detail)
    }
    add(.attached)
    if byMessage { add(.received, 0, 9) }
    add(.moved, 1, states.0)
    if hasTop {
      for kind in [EventKind.attached, .moved] {
        seq += 1
        checker.take(EventRow(seq: seq, time: now, kind: kind, controller: 2, visit: 1, state: 2))
      }
    }
    now += milliseconds * 1_000
    if byMessage { add(.received, 0, 9) }
    add(.moved, 2, states.1, first: isSame ? 1 : 0)
    return checker.drain().filter { $0.code == .doublePush }.map { finding in
      finding.detail { [1: "detail", 2: "photo"][$0] }
    }
  }

  @Test func `an equal element is one, however late`() {
    #expect(
      path((1, 1), milliseconds: 9_000, isSame: true) == [
        "Visit #2 (detail) was put right above an equal element, visit #1 (detail)."
      ])
  }

  @Test(arguments: [false, true])
  func `so is one above an equal element that was there when recording began`(isSame: Bool) {
    var checker = SessionChecker(session: 1, controllers: [.made(id: 1, discipline: .moves)])
    var detail = FoldedDetail()
    checker.take(EventRow(seq: 1, time: 0, kind: .attached, controller: 1))
    detail.instance = isSame ? 1 : 2
    checker.take(
      EventRow(
        seq: 2, time: 0, kind: .stood, reason: EventReason.stoodEntered.code, controller: 1,
        visit: 3, state: 1), detail)
    detail.instance = 1
    checker.take(
      EventRow(
        seq: 3, time: 9_000_000, kind: .moved, reason: EventReason.movedPush.code, controller: 1,
        visit: 4, state: 1), detail)
    #expect(checker.drain().map(\.code) == (isSame ? [.doublePush] : []))
  }

  @Test func `another of the same name is one, if it comes at once`() {
    #expect(
      path((1, 1), milliseconds: 200) == [
        "Visit #2 (detail) was put right above another of the same name, visit #1 (detail), which had just entered."
      ])
    #expect(path((1, 1), milliseconds: 30, byMessage: false).count == 1)
    #expect(path((1, 1), milliseconds: 500) == [])
    #expect(path((1, 2), milliseconds: 200) == [])
  }

  @Test func `two that one message pushes were meant`() {
    #expect(path((1, 1), milliseconds: 200, byOne: true) == [])
    #expect(path((1, 1), milliseconds: 200, isSame: true, byOne: true).count == 1)
    // A task that reads taps pushes each of them.
    #expect(path((1, 1), milliseconds: 200, byTask: true).count == 1)
  }

  @Test func `two that come with one change were meant`() {
    #expect(path((1, 1), milliseconds: 0, byMessage: false) == [])
    // A second track may follow the top of the path.
    #expect(path((1, 1), milliseconds: 0, byMessage: false, hasTop: true) == [])
    #expect(path((1, 1), milliseconds: 0, byMessage: true, hasTop: true).count == 1)
  }

  @Test func `on a stack of a class, a state of the same name above one that still enters`() {
    func stack(_ first: UInt32, _ second: UInt32, hasEntered: Bool, seconds: Int64) -> [String] {
      var course = Course(.stack)
      course.request(first)
      course.add(.entering, first)
      if hasEntered { course.add(.entered, first) }
      course.wait(seconds: seconds)
      course.request(second)
      course.add(.entering, second, state: Int32(first))
      return course.codes.filter { $0.hasPrefix("double-push") }
    }
    #expect(stack(1, 2, hasEntered: false, seconds: 30) == ["double-push 4"])
    #expect(stack(1, 2, hasEntered: true, seconds: 0) == ["double-push 5"])
    #expect(stack(1, 2, hasEntered: true, seconds: 30) == [])
  }
}
