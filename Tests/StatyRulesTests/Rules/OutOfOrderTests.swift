import Staty
import StatyHistory
import Testing

@Suite("out-of-order")
struct OutOfOrderTests {
  /// Two wait, the second comes in first.
  private func jumping(_ policy: String, priorities: [Int32] = [0, 0]) -> Course {
    var course = Course(policy)
    course.ask(1, priority: priorities[0])
    course.ask(2, priority: priorities[1])
    course.add(.entering, 2)
    course.add(.entered, 2)
    course.add(.exiting, 2)
    course.add(.exited, 2)
    course.add(.entering, 1)
    course.add(.entered, 1)
    return course
  }

  @Test func `the one that jumped the line is guilty`() {
    #expect(
      jumping("queue").words == [
        "out-of-order 3: Visit #2 (b) was let in before #1 (a), which had been asked for earlier."
      ])
  }

  @Test func `with priorities only the more urgent may pass`() {
    #expect(jumping("priority").codes == ["out-of-order 3"])
    #expect(jumping("priority", priorities: [1, 0]).codes == ["out-of-order 3"])
    #expect(jumping("priority", priorities: [0, 1]).codes == [])
  }

  @Test func `one that jumped over several is named once`() {
    var course = Course("mine")
    for visit in 1...3 as ClosedRange<UInt32> { course.ask(visit) }
    for visit in [3, 1, 2] as [UInt32] {
      course.add(.entering, visit)
      course.add(.entered, visit)
      course.add(.exited, visit)
    }
    #expect(course.codes == ["out-of-order 4"])
  }

  @Test func `there is no order where everybody comes in at once`() {
    #expect(jumping("immediate").codes == [])
  }

  @Test func `where only arrivals are recorded, these are compared`() {
    var course = Course("mine", fidelity: .threeKind)
    course.ask(1)
    course.ask(2)
    course.add(.entered, 2)
    course.add(.exited, 2)
    course.add(.entered, 1)
    #expect(course.codes == ["out-of-order 3"])
  }
}
