import Staty
import StatyHistory
import Testing

@Suite("double-enter")
struct DoubleEnterTests {
  @Test func `a visit that is in is told to come in`() {
    var course = Course()
    course.show(1)
    course.add(.entering, 1)
    #expect(
      course.words
        == ["double-enter 4: Visit #1 (a) was let in a second time while it was on the stage."])
  }

  @Test func `a visit that has left is told to come in`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.add(.entering, 1)
    course.add(.entered, 1)
    course.add(.exiting, 1)
    #expect(
      course.words == ["double-enter 5: Visit #1 (a) was let in again after it had gone."])
  }

  @Test func `where only arrivals are recorded, a visit arrives once`() {
    var course = Course(fidelity: .threeKind)
    course.ask(1)
    course.add(.entered, 1)
    course.add(.entered, 1)
    course.add(.stray, 1, .strayEntered)
    course.add(.stray, 1, .strayExited)
    #expect(course.codes == ["double-enter 3", "double-enter 4"])
  }

  @Test func `a second arrival is the state's fault where tellings are recorded`() {
    var course = Course()
    course.show(1)
    course.add(.stray, 1, .strayEntered)
    #expect(course.codes == [])
  }

  @Test func `who was told to leave after events were lost need not have been in`() {
    var course = Course()
    course.ask(1)
    course.lose(1)
    course.add(.exiting, 1, skipping: 1)
    course.add(.entering, 1)
    course.add(.entered, 1)
    #expect(course.codes == [])
  }
}
