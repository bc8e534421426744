import Staty
import StatyHistory
import Testing

@Suite("entered-discarded")
struct EnteredDiscardedTests {
  /// Visit 1 is shown, 2 and 3 wait, and 2 is cancelled; then 1 exits.
  private func cancelling(_ discards: Bool, fidelity: Fidelity = .full) -> Course {
    var course = Course(fidelity: fidelity)
    course.show(1)
    course.request(2)
    let asked = course.request(3)
    let cancelled = course.add(.cancelled, 2, .cancelledVisit)
    if discards { course.add(.discarded, 2, .cancelled, cause: cancelled) }
    course.add(.exiting, 1, cause: asked)
    course.add(.exited, 1)
    return course
  }

  @Test func `a discarded visit is told to enter`() {
    var course = cancelling(true)
    course.add(.entering, 2, cause: course.last)
    #expect(
      course.words.first
        == "entered-discarded 10: Visit #2 (b) was told to enter after it had been discarded.")
  }

  @Test func `a cancelled visit is told to enter`() {
    var course = cancelling(false)
    course.add(.entering, 2, cause: course.last)
    #expect(
      course.words == [
        "entered-discarded 9: Visit #2 (b) was told to enter after it had been cancelled."
      ])
  }

  @Test func `cancelAll concerns waiting visits, and not the one on the stage`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.cancelled, 0, .cancelledAll)
    course.add(.exiting, 1, cause: course.last)
    course.add(.exited, 1)
    course.add(.entering, 2, cause: course.last)
    #expect(course.codes == ["entered-discarded 8"])
    course.add(.entered, 2)
    #expect(course.codes == ["entered-discarded 8"])
  }

  @Test func `the visit whose turn it takes is reported as never entered`() {
    var course = cancelling(true)
    course.add(.entering, 2, cause: course.last)
    course.add(.entered, 2)
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(course.codes == ["never-entered 5", "entered-discarded 10"])
  }

  @Test func `the later events of that visit are checked like those of others`() {
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

  @Test func `the next visit enters instead, which is no error`() {
    for discards in [true, false] {
      var course = cancelling(discards)
      course.add(.entering, 3, cause: course.last)
      course.add(.entered, 3)
      #expect(course.codes == [])
    }
  }

  @Test func `a visit that was given up on the stage and enters again is a double enter`() {
    var course = Course()
    course.show(1)
    course.add(.discarded, 1, .timedOut)
    course.add(.entering, 1)
    #expect(course.codes == ["double-enter 5"])
  }

  @Test func `if only arrivals are recorded, the arrival of a discarded visit is the error`() {
    var course = Course(fidelity: .threeKind)
    course.request(1)
    course.request(2)
    course.add(.discarded, 1, .cancelled)
    course.add(.entered, 1)
    #expect(course.codes == ["entered-discarded 4"])
  }
}
