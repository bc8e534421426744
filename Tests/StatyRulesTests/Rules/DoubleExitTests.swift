import Staty
import StatyHistory
import Testing

@Suite("double-exit")
struct DoubleExitTests {
  @Test func `a visit is told to exit while it exits`() {
    var course = Course()
    course.show(1)
    course.add(.exiting, 1)
    course.add(.exiting, 1)
    #expect(course.words == ["double-exit 5: Visit #1 (a) was told to exit a second time."])
  }

  @Test func `a visit is told to exit after it has exited`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.add(.exiting, 1)
    #expect(course.words == ["double-exit 5: Visit #1 (a) was told to exit after it had ended."])
  }

  @Test func `the controller accepts a second exit`() {
    var course = Course(fidelity: .threeKind)
    course.request(1)
    course.add(.entered, 1)
    course.add(.exited, 1)
    course.add(.exited, 1)
    #expect(
      course.words
        == [
          "double-exit 4: Visit #1 (a) reported its exit a second time, and the controller accepted it."
        ])
  }

  /// It was discarded while it was on screen, and what comes next waits for its disappearance.
  @Test func `the controller acts on the first exit of a visit that was discarded`() {
    var course = Course()
    course.show(1)
    course.request(2)
    let cancelled = course.add(.cancelled, 1, .cancelledVisit)
    course.add(.discarded, 1, .cancelled, cause: cancelled)
    let exit = course.add(.stray, 1, .strayExited)
    course.add(.entering, 2, cause: exit)
    course.add(.entered, 2)
    #expect(!course.codes.contains { $0.hasPrefix("double-exit") }, "\(course.words)")
  }

  @Test func `the controller acts on a second exit`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    let stray = course.add(.stray, 1, .strayExited)
    course.add(.entering, 2, cause: stray)
    course.add(.entered, 2)
    #expect(
      course.words == [
        "double-exit 7: Visit #1 (a) reported its exit a second time, and the controller acted on "
          + "it: it changed visit #2 (b)."
      ])
  }

  @Test func `a second exit without consequences is no error of the controller`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.add(.stray, 1, .strayExited)
    #expect(course.codes == [])
  }

  @Test func `a second exit is found even if the first one is long ago`() {
    var course = Course()
    for visit in 1...200 as ClosedRange<UInt32> {
      course.show(visit)
      course.add(.exited, visit)
    }
    course.add(.exiting, 3)
    #expect(course.codes == ["double-exit \(course.last)"])
  }

  @Test func `a visit that exited after lost events is told to exit again`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.lose(1)
    course.add(.exited, 1, skipping: 1)
    course.add(.exiting, 1)
    course.add(.entering, 2)
    #expect(course.codes == ["double-exit 7"])
  }

  @Test(arguments: [false, true])
  func `a visit that had exited before events were lost is told to exit again`(isAnew: Bool) {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.lose(1)
    course.add(.mark, controller: 0, skipping: 1)
    course.show(2)
    if isAnew { course.beginAnew((2, .stoodEntered)) }
    let told = course.add(.exiting, 1)
    #expect(
      course.words == ["double-exit \(told): Visit #1 (a) was told to exit after it had ended."])
  }
}
