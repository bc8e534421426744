import Staty
import StatyHistory
import Testing

@Suite("exit-before-enter")
struct ExitBeforeEnterTests {
  @Test func `a visit that waits is told to leave`() {
    var course = Course()
    course.show(1)
    course.ask(2)
    course.ask(3)
    course.add(.exiting, 2, cause: 5)
    #expect(
      course.words.last
        == "exit-before-enter 6: Visit #2 (b) was told to leave before it was told to come in.")
  }

  @Test func `a visit that is still coming in is told to leave`() {
    var course = Course()
    course.ask(1)
    course.add(.entering, 1, cause: 1)
    course.ask(2)
    course.add(.exiting, 1, cause: 3)
    #expect(
      course.words == ["exit-before-enter 4: Visit #1 (a) was told to leave before it was in."])
  }

  @Test func `a visit that was discarded is told to leave`() {
    var course = Course()
    course.show(1)
    course.ask(2)
    course.add(.discarded, 2, .cancelled, cause: 4)
    course.add(.exiting, 2)
    #expect(course.codes == ["exit-before-enter 6"])
  }

  @Test func `a visit that a deadline skips is told to leave lawfully`() {
    var course = Course()
    course.ask(1)
    course.add(.entering, 1, cause: 1)
    course.add(.deadline, 1, .enteringSkip)
    course.add(.exiting, 1, cause: 3)
    course.add(.discarded, 1, .timedOut, cause: 3)
    #expect(course.codes == [])
  }

  @Test func `a visit that a deadline takes for in is told to leave lawfully`() {
    var course = Course()
    course.ask(1)
    course.add(.entering, 1, cause: 1)
    course.add(.deadline, 1, .enteringForce)
    course.ask(2)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    #expect(course.codes == [])
  }

  @Test func `a visit whose beginning was lost may have been in`() {
    var course = Course()
    course.ask(1)
    course.lose(2)
    course.add(.exiting, 1, skipping: 2)
    course.add(.exiting, 4)
    #expect(course.codes == [])
  }

  @Test func `a visit that comes in after events were lost is known from there on`() {
    var course = Course()
    course.ask(1)
    course.lose(2)
    course.add(.entering, 1, skipping: 2)
    course.add(.exiting, 1)
    #expect(course.codes == ["exit-before-enter 5"])
  }
}
