import Staty
import StatyHistory
import Testing

@Suite("exit-before-enter")
struct ExitBeforeEnterTests {
  @Test func `a waiting visit is told to exit`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.request(3)
    course.add(.exiting, 2, cause: 5)
    #expect(
      course.words.last
        == "exit-before-enter 6: Visit #2 (b) was told to exit before it was told to enter.")
  }

  @Test func `a visit is told to exit while it enters`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.request(2)
    course.add(.exiting, 1, cause: 3)
    #expect(
      course.words == ["exit-before-enter 4: Visit #1 (a) was told to exit before it had entered."])
  }

  @Test func `a discarded visit is told to exit`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.discarded, 2, .cancelled, cause: 4)
    course.add(.exiting, 2)
    #expect(course.codes == ["exit-before-enter 6"])
  }

  @Test func `after a deadline with skip, a visit may be told to exit while it enters`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.add(.deadline, 1, .enteringSkip)
    course.add(.exiting, 1, cause: 3)
    course.add(.discarded, 1, .timedOut, cause: 3)
    #expect(course.codes == [])
  }

  @Test func `after a deadline with force, a visit may be told to exit`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    course.add(.deadline, 1, .enteringForce)
    course.request(2)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    #expect(course.codes == [])
  }

  @Test func `a visit may be told to exit if its enter can be among lost events`() {
    var course = Course()
    course.request(1)
    course.lose(2)
    course.add(.exiting, 1, skipping: 2)
    course.add(.exiting, 4)
    #expect(course.codes == [])
  }

  @Test func `a visit that enters after lost events is checked from then on`() {
    var course = Course()
    course.request(1)
    course.lose(2)
    course.add(.entering, 1, skipping: 2)
    course.add(.exiting, 1)
    #expect(course.codes == ["exit-before-enter 5"])
  }
}
