import Staty
import StatyHistory
import Testing

@Suite("never-entered")
struct NeverEnteredTests {
  @Test func `a visit waits before an empty stage`() {
    var course = Course()
    course.show(1)
    course.ask(2)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(
      course.words
        == ["never-entered 4: Visit #2 (b) was never let in, although the stage was empty."])
  }

  @Test func `nobody tells the one that is in to leave`() {
    var course = Course("mine")
    course.show(1)
    course.ask(2)
    course.ask(3)
    #expect(
      course.words.first
        == "never-entered 4: Visit #2 (b) was never let in, because nobody told #1 (a) to leave.")
    #expect(course.codes.count == 1)
  }

  @Test func `one that was asked for later came in`() {
    var course = Course("mine")
    course.ask(1)
    course.ask(2)
    course.add(.entering, 2, cause: 2)
    #expect(
      course.words
        == [
          "never-entered 1: Visit #1 (a) was never let in, although #2 (b), asked for later, was."
        ]
    )
  }

  @Test func `waiting behind somebody who is leaving is no fault`() {
    var course = Course()
    course.show(1)
    course.ask(2)
    course.add(.exiting, 1, cause: 4)
    course.ask(3)
    #expect(course.codes == [])
  }

  @Test func `an urgent one passes lawfully`() {
    var course = Course("priority")
    course.show(1)
    course.ask(2)
    course.ask(3, priority: 5)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    course.add(.entering, 3, cause: 7)
    #expect(course.codes == [])
  }

  @Test func `the target may not be there yet`() {
    let unbound =
      #"{"standing":[],"waiting":[],"isWithholding":true,"isTornDown":false,"#
      + #""lastVisit":0}"#
    var course = Course("queue", snapshot: unbound)
    course.add(.attached)
    course.ask(1)
    course.wait(seconds: 60)
    course.ask(2)
    #expect(course.codes == [])
    course.add(.resumed)
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(course.codes == ["never-entered 2", "never-entered 3"])
  }

  @Test func `nothing enters after a tear-down, nor is anything known where discards are not told`()
  {
    var course = Course("mine")
    course.ask(1)
    course.add(.cancelled, 0, .cancelledTearDown)
    course.wait(seconds: 60)
    course.add(.mark)
    #expect(course.codes == [])
    var threeKind = Course("mine", fidelity: .threeKind)
    threeKind.ask(1)
    threeKind.ask(2)
    threeKind.add(.entered, 2)
    #expect(threeKind.codes == [])
  }

  @Test func `recording may have ended before its turn came`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.ask(2)
    course.add(.detached)
    course.wait(seconds: 60)
    course.add(.mark)
    #expect(course.codes == [])
  }

  @Test func `what was lost at the end may have let it in`() {
    var course = Course("mine")
    course.ask(1)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == ["never-entered 1"])
    course.lose(1)
    #expect(course.codes == [])
  }
}
