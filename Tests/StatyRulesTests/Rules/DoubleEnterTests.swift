import Staty
import StatyHistory
import Testing

@Suite("double-enter")
struct DoubleEnterTests {
  @Test func `a visit is told to enter while it is on the stage`() {
    var course = Course()
    course.show(1)
    course.add(.entering, 1)
    #expect(
      course.words
        == ["double-enter 4: Visit #1 (a) entered a second time while it was on the stage."])
  }

  @Test func `a visit is told to enter after it has exited`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.add(.entering, 1)
    course.add(.entered, 1)
    course.add(.exiting, 1)
    #expect(
      course.words == ["double-enter 5: Visit #1 (a) entered again after it had ended."])
  }

  @Test func `if only arrivals are recorded, a second arrival is an error`() {
    var course = Course(fidelity: .threeKind)
    course.request(1)
    course.add(.entered, 1)
    course.add(.entered, 1)
    course.add(.stray, 1, .strayEntered)
    course.add(.stray, 1, .strayExited)
    #expect(course.codes == ["double-enter 3", "double-enter 4"])
  }

  @Test func `if enters are recorded, a second arrival is no error of the controller`() {
    var course = Course()
    course.show(1)
    course.add(.stray, 1, .strayEntered)
    #expect(course.codes == [])
  }

  @Test func `a visit that was told to exit after lost events may enter for the first time`() {
    var course = Course()
    course.request(1)
    course.lose(1)
    course.add(.exiting, 1, skipping: 1)
    course.add(.entering, 1)
    course.add(.entered, 1)
    #expect(course.codes == [])
  }
}
