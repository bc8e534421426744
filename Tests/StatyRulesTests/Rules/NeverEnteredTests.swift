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
    var course = Course()
    course.show(1)
    course.ask(2)
    course.ask(3)
    #expect(
      course.words.first
        == "never-entered 4: Visit #2 (b) was never let in, because nobody told #1 (a) to leave.")
    #expect(course.codes.count == 1)
  }

  @Test func `one that was asked for later came in`() {
    var course = Course()
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
    var course = Course(.byUrgency)
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
    var course = Course(snapshot: unbound)
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
    var course = Course()
    course.ask(1)
    course.add(.cancelled, 0, .cancelledTearDown)
    course.wait(seconds: 60)
    course.add(.mark)
    #expect(course.codes == [])
    var threeKind = Course(fidelity: .threeKind)
    threeKind.ask(1)
    threeKind.ask(2)
    threeKind.add(.entered, 2)
    #expect(threeKind.codes == [])
  }

  /// A visit waits before an empty stage when recording ends.
  private func ending(
    _ fidelity: Fidelity = .full, inside place: Int64 = 0, step: Int64 = 0
  ) -> Course {
    var course = Course(fidelity: fidelity)
    course.show(1)
    course.add(.exited, 1)
    course.ask(2)
    if step > 0 { course.add(.resumed, cause: step) }
    course.add(.detached, cause: place)
    course.wait(seconds: 60)
    course.add(.mark)
    return course
  }

  @Test func `what the controller has not done when recording ends at rest it does not do`() {
    #expect(
      ending().words
        == ["never-entered 5: Visit #2 (b) was never let in, although the stage was empty."])
  }

  @Test func `recording may have ended before its turn came`() {
    // Inside of what it does about a request, before a step that it has put off, or where places are not recorded.
    #expect(ending(inside: 5).codes == [])
    #expect(ending(step: 4).codes == [])
    #expect(ending(.ordered).codes == [])
    var itself = Course()
    itself.ask(1)
    itself.add(.entering, 1)
    itself.add(.entered, 1)
    itself.add(.exited, 1)
    itself.ask(2)
    itself.add(.detached)
    #expect(itself.codes == [])
  }

  @Test func `a cancelled one need not enter`() {
    var course = Course()
    course.ask(1)
    course.add(.cancelled, 1, .cancelledVisit)
    course.add(.detached)
    #expect(course.codes == [])
  }

  @Test func `a less urgent one entered in its place`() {
    var course = Course(.byUrgency)
    course.show(1)
    course.ask(2)
    course.ask(3, priority: 5)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    course.add(.entering, 2, cause: 7)
    #expect(
      course.words
        == ["never-entered 5: Visit #3 (c) never entered, although #2 (b), less urgent, did."])
  }

  @Test func `on a stack no other has to exit for it`() {
    var course = Course(.stack)
    course.show(1)
    course.ask(2)
    course.ask(3)
    #expect(
      course.words.first
        == "never-entered 4: Visit #2 (b) was never let in, although nothing was in its way.")
  }

  @Test func `what was lost at the end may have let it in`() {
    var course = Course()
    course.ask(1)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == ["never-entered 1"])
    course.lose(1)
    #expect(course.codes == [])
  }
}
