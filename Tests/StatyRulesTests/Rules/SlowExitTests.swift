import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("slow-exit")
struct SlowExitTests {
  private func leaving(seconds: Int64) -> Course {
    var course = Course()
    course.show(1)
    course.add(.exiting, 1)
    course.wait(seconds: seconds)
    course.add(.exited, 1)
    return course
  }

  @Test func `a state takes long to exit`() {
    #expect(leaving(seconds: 1).words == ["slow-exit 5: Visit #1 (a) took 1.0 s to exit."])
    #expect(leaving(seconds: 0).codes == [])
  }

  @Test func `an alert exits when the user closes it`() {
    var course = Course()
    course.show(1, answers: RouteTable.awaitsUser)
    course.add(.exiting, 1)
    course.wait(seconds: 60)
    course.add(.exited, 1)
    #expect(course.codes == [])
  }

  @Test func `the limit can be set`() {
    var options = CheckOptions()
    options.slowExit = .seconds(5)
    #expect(leaving(seconds: 4).findings(options).isEmpty)
    #expect(leaving(seconds: 5).findings(options).count == 1)
  }
}
