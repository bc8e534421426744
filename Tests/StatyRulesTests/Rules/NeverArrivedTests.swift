import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("never-arrived")
struct NeverArrivedTests {
  @Test func `a visit that was told to enter never reports that it has`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.wait(seconds: 1)
    course.add(.mark)
    #expect(course.codes == [])
    course.wait(seconds: 1)
    course.add(.mark)
    #expect(
      course.words == [
        "never-arrived 2: Visit #1 (a) was told to enter and had not entered 2.0 s "
          + "later."
      ])
  }

  @Test func `a visit that was given up need not arrive`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.add(.deadline, 1, .enteringSkip)
    course.add(.exiting, 1, cause: 3)
    course.add(.discarded, 1, .timedOut, cause: 3)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == [])
  }

  @Test func `a visit that reports its enter after it was told to exit is no second error`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.add(.exiting, 1)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == ["never-arrived 2", "exit-before-enter 3"])
    course.add(.stray, 1, .strayEntered)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == ["exit-before-enter 3"])
  }

  @Test func `behind a loss, a visit that goes on under another number may still arrive`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.lose(1)
    course.add(.mark, controller: 0, skipping: 1)
    course.wait(seconds: 3)
    let stood = course.beginAnew((1, .stoodEntering))
    #expect(
      course.words == [
        "never-arrived \(stood): Visit #1 (a) was told to enter and had not entered 3.0 s later."
      ])
    course.add(.entered, 1)
    #expect(course.words == ["slow-enter \(stood + 1): Visit #1 (a) took 3.0 s to enter."])
  }

  @Test func `a visit that was entering when recording began is timed from there`() {
    var course = Course(
      snapshot: #"{"standing":[{"visit":3,"state":"c","phase":1}],"#
        + #""waiting":[],"isWithholding":false,"isTornDown":false,"lastVisit":3}"#)
    course.add(.attached)
    course.add(.stood, 3, .stoodEntering)
    course.wait(seconds: 3)
    course.add(.mark)
    #expect(course.findings().map(\.visit) == [3])
    #expect(
      course.words == [
        "never-arrived 2: Visit #3 (c) was told to enter and had not entered 3.0 s "
          + "later."
      ])
  }
}
