import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite struct CoverageTests {
  private static let routes =
    #"{"standing":[],"waiting":[],"isWithholding":false,"#
    + #""isTornDown":false,"lastVisit":0,"routes":[{"to":"a"},{"from":"a","to":"b"},"#
    + #"{"isAnywhere":true,"to":"d"},{"from":"d","to":"a"}],"states":["a","b","c","d"]}"#

  private func touched(_ course: Course, _ snapshot: String, _ fidelity: Fidelity = .full)
    -> ControllerCoverage
  {
    let record = ControllerRecord.made(
      id: 7, policy: "queue", fidelity: fidelity.rawValue, snapshot: snapshot)
    var session = SessionCoverage(controllers: [record])
    session.learn(names: [1: "a", 2: "b", 3: "c", 4: "d"])
    for row in course.rows { session.take(row) }
    return session.coverage(names: [1: "a", 2: "b", 3: "c", 4: "d"]).controllers.values.first!
  }

  private func lines(_ rows: [ControllerCoverage.MoveRow]) -> [String] {
    rows.map { row in
      let from =
        switch row.move.start {
        case .beginning: "-"
        case .state(let name): name
        case .anywhere: "*"
        }
      let declared = row.isDeclared.map { $0 ? "declared" : "undeclared" } ?? "free"
      return "\(from) \(row.move.to) \(row.count) \(declared)"
    }
  }

  private func lines(_ rows: [ControllerCoverage.PairRow]) -> [String] {
    rows.map {
      "\($0.pair.state ?? "-") \($0.pair.phase.text) \($0.pair.signal.text) \($0.count)"
        + ($0.fits ? "" : " unfit")
    }
  }

  /// a comes in, and b and c after it, though nothing leads to c.
  private var course: Course {
    var course = Course("queue", snapshot: Self.routes)
    for visit in 1...3 as ClosedRange<UInt32> {
      course.show(visit)
      course.add(.exiting, visit)
      course.add(.exited, visit)
    }
    return course
  }

  @Test func `what is declared and was not seen stands beside what was seen and is not declared`() {
    #expect(
      lines(touched(course, Self.routes).moveRows) == [
        "- a 1 declared", "a b 1 declared", "b c 1 undeclared", "d a 0 declared", "* d 0 declared",
      ])
    #expect(lines(touched(course, "{}").moveRows) == ["- a 1 free", "a b 1 free", "b c 1 free"])
  }

  @Test func `each state is to be asked in each phase for another, and to say what it does`() {
    var course = Course("queue")
    course.show(1)
    course.ask(2)
    course.add(.exiting, 1)
    course.add(.exited, 1)
    course.add(.stray, 1, .strayExited)
    #expect(
      lines(touched(course, "{}").pairRows) == [
        "- empty requested 1",
        "a entering requested 0", "a entering entered 1",
        "a entered requested 1", "a entered exited 0",
        "a exiting requested 0", "a exiting exited 1",
        "a left requested 0", "a left stray exited 1 unfit",
      ])
  }

  @Test func `cancels and deadlines are waited for once they were seen`() {
    var course = Course("queue")
    course.show(1)
    let before = touched(course, "{}").pairRows.count
    course.add(.cancelled, 0, .cancelledAll)
    let rows = touched(course, "{}").pairRows
    #expect(rows.count == before + 5)
    #expect(rows.filter { $0.pair.signal == .cancelled && $0.count == 0 }.count == 4)
  }

  @Test func `where only three kinds are recorded nobody is seen on the way`() {
    var course = Course("queue", fidelity: .threeKind)
    course.ask(1)
    course.add(.entered, 1)
    course.add(.exited, 1)
    #expect(
      lines(touched(course, "{}", .threeKind).pairRows) == [
        "- empty requested 1", "a entered requested 0", "a entered exited 1", "a left requested 0",
      ])
  }

  @Test func `a state may be called as nothing and as anything is shown`() {
    var one = ControllerCoverage()
    one.routes = [.init(from: .anywhere, to: "a"), .init(from: .state("*"), to: "a")]
    one.moves = [.init(from: .state("*"), to: "a"): 2, .init(from: .beginning, to: "a"): 1]
    #expect(lines(one.moveRows) == ["* a 2 declared", "* a 1 declared"])
    #expect(one.moveRows.map(\.move.start) == [.state("*"), .anywhere])
  }
}
