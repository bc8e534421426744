import Staty
import StatyHistory
import Testing

@Suite("never-exited")
struct NeverExitedTests {
  @Test func `a visit that was told to exit never reports that it has`() {
    var course = Course()
    course.show(1)
    course.add(.exiting, 1)
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(
      course.words == [
        "never-exited 4: Visit #1 (a) was told to exit and had not exited 2.0 s "
          + "later."
      ])
  }

  @Test func `a visit that was told to exit before it entered must exit after it has entered`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.add(.exiting, 1)
    course.add(.entered, 1)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == ["exit-before-enter 3", "never-exited 3"])
  }

  @Test func `an alert that is open when the app is killed need not have exited`() {
    var course = Course()
    course.show(1, answers: RouteTable.awaitsUser)
    course.add(.exiting, 1)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == [])
  }

  @Test func `a visit that was given up need not exit`() {
    var course = Course()
    course.show(1)
    course.add(.exiting, 1)
    course.add(.deadline, 1, .exitingSkip)
    course.add(.discarded, 1, .timedOut, cause: 5)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == [])
  }
}
