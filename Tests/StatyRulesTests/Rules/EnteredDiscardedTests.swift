import Staty
import StatyHistory
import Testing

@Suite("entered-discarded")
struct EnteredDiscardedTests {
  /// Visit 1 is shown, 2 and 3 wait, and 2 is cancelled; then 1 exits.
  private func cancelling(_ discards: Bool, fidelity: Fidelity = .full) -> Course {
    var course = Course(fidelity: fidelity)
    course.show(1)
    course.ask(2)
    let asked = course.ask(3)
    let cancelled = course.add(.cancelled, 2, .cancelledVisit)
    if discards { course.add(.discarded, 2, .cancelled, cause: cancelled) }
    course.add(.exiting, 1, cause: asked)
    course.add(.exited, 1)
    return course
  }

  @Test func `a visit that was discarded enters`() {
    var course = cancelling(true)
    course.add(.entering, 2, cause: course.last)
    #expect(
      course.words.first
        == "entered-discarded 10: Visit #2 (b) was told to enter after it had been discarded.")
  }

  @Test func `a visit that was cancelled enters`() {
    var course = cancelling(false)
    course.add(.entering, 2, cause: course.last)
    #expect(
      course.words == [
        "entered-discarded 9: Visit #2 (b) was told to enter after it had been cancelled."
      ])
  }

  @Test func `cancelling everything is about all that wait, and not about what is shown`() {
    var course = Course()
    course.show(1)
    course.ask(2)
    course.add(.cancelled, 0, .cancelledAll)
    course.add(.exiting, 1, cause: course.last)
    course.add(.exited, 1)
    course.add(.entering, 2, cause: course.last)
    #expect(course.codes == ["entered-discarded 8"])
    course.add(.entered, 2)
    #expect(course.codes == ["entered-discarded 8"])
  }

  @Test func `the visit that it displaces never enters, and that is found, too`() {
    var course = cancelling(true)
    course.add(.entering, 2, cause: course.last)
    course.add(.entered, 2)
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(course.codes == ["never-entered 5", "entered-discarded 10"])
  }

  @Test func `what it does then is followed like that of any other`() {
    var course = cancelling(true)
    course.add(.entering, 2, cause: course.last)
    course.add(.entered, 2)
    course.add(.exiting, 2)
    course.add(.exited, 2)
    course.add(.entering, 3, cause: course.last)
    course.add(.entered, 3)
    #expect(course.codes == ["entered-discarded 10"])
    course.add(.exiting, 2)
    #expect(course.codes.contains("double-exit \(course.last)"))
  }

  @Test func `the next one enters in its place`() {
    for discards in [true, false] {
      var course = cancelling(discards)
      course.add(.entering, 3, cause: course.last)
      course.add(.entered, 3)
      #expect(course.codes == [])
    }
  }

  @Test func `one that was given up on the stage and enters again does so twice`() {
    var course = Course()
    course.show(1)
    course.add(.discarded, 1, .timedOut)
    course.add(.entering, 1)
    #expect(course.codes == ["double-enter 5"])
  }

  @Test func `where only arrivals are recorded, these are judged`() {
    var course = Course(fidelity: .threeKind)
    course.ask(1)
    course.ask(2)
    course.add(.discarded, 1, .cancelled)
    course.add(.entered, 1)
    #expect(course.codes == ["entered-discarded 4"])
  }
}
