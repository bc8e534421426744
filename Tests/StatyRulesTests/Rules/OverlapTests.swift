import Staty
import StatyHistory
import Testing

@Suite("overlap")
struct OverlapTests {
  @Test func `a visit is told to enter while another is on the stage`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.entering, 2, cause: 4)
    #expect(
      course.words == ["overlap 5: Visit #2 (b) entered while #1 (a) was still on the stage."])
  }

  @Test(arguments: [Discipline.atOnce, .stack])
  func `an immediate policy and a stack may show several visits`(discipline: Discipline) {
    var course = Course(discipline)
    course.show(1)
    course.request(2)
    course.add(.entering, 2, cause: 4)
    #expect(course.codes == [])
  }

  @Test func `a visit that was given up is off the stage`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.exiting, 1, cause: 4)
    course.add(.deadline, 1, .exitingForce)
    course.add(.discarded, 1, .timedOut, cause: 6)
    course.add(.entering, 2, cause: 6)
    #expect(course.codes == [])
  }

  @Test func `if only arrivals are recorded, the second arrival is the error`() {
    var course = Course(fidelity: .threeKind)
    course.request(1)
    course.request(2)
    course.add(.entered, 1)
    course.add(.entered, 2)
    course.add(.exited, 1)
    #expect(course.codes == ["overlap 4"])
  }

  @Test func `a visit may have exited in lost events`() {
    var course = Course()
    course.show(1)
    course.lose(1)
    course.request(2)
    course.add(.entering, 2, cause: 4)
    #expect(course.codes == [])
  }

  @Test func `two visits that enter after lost events are found`() {
    var course = Course()
    for visit in 1...3 as ClosedRange<UInt32> { course.request(visit) }
    course.lose(4)
    course.add(.entering, 2, skipping: 4)
    course.add(.entered, 2)
    course.add(.entering, 3)
    #expect(course.codes == ["overlap 10"])
  }

  @Test func `a visit told to exit after lost events is on the stage until it has exited`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.lose(1)
    course.add(.exiting, 1, skipping: 1)
    course.add(.entering, 2)
    course.add(.exited, 1)
    #expect(course.codes == ["overlap 7"])
  }

  @Test func `a visit that has exited after lost events is off the stage`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.lose(1)
    course.add(.exiting, 1, skipping: 1)
    course.add(.exited, 1)
    course.add(.entering, 2)
    #expect(course.codes == [])
  }

  @Test func `a visit that was on the stage when recording began counts`() {
    var course = Course(
      snapshot: #"{"standing":[{"visit":1,"state":"a","phase":3}],"#
        + #""waiting":[],"isWithholding":false,"isTornDown":false,"lastVisit":1}"#)
    course.add(.attached)
    course.add(.stood, 1, .stoodExiting)
    course.request(2)
    course.add(.entering, 2, cause: 3)
    #expect(course.codes == ["overlap 4"])
  }
}
