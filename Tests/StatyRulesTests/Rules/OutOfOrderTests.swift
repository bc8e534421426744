import Staty
import StatyHistory
import Testing

@Suite("out-of-order")
struct OutOfOrderTests {
  /// Two visits wait, and the second enters first.
  private func jumping(_ discipline: Discipline, priorities: [Int32] = [0, 0]) -> Course {
    var course = Course(discipline)
    course.request(1, priority: priorities[0])
    course.request(2, priority: priorities[1])
    course.add(.entering, 2)
    course.add(.entered, 2)
    course.add(.exiting, 2)
    course.add(.exited, 2)
    course.add(.entering, 1)
    course.add(.entered, 1)
    return course
  }

  @Test func `the error is the visit that enters too early`() {
    #expect(
      jumping(.inOrder).words == [
        "out-of-order 3: Visit #2 (b) entered before #1 (a), which had been requested earlier."
      ])
  }

  @Test func `with priorities, only a more urgent visit may enter first`() {
    #expect(jumping(.byUrgency).codes == ["out-of-order 3"])
    #expect(jumping(.byUrgency, priorities: [1, 0]).codes == ["out-of-order 3"])
    #expect(jumping(.byUrgency, priorities: [0, 1]).codes == [])
  }

  /// Visit 1 is shown, and 2 waits.
  ///
  /// The urgent 3 is requested before or after the controller decides which is next.
  private func passing(_ isKnown: Bool) -> Course {
    var course = Course(.byUrgency)
    course.show(1)
    course.request(2, priority: 1)
    if isKnown { course.request(3, priority: 7) }
    course.add(.exiting, 1, cause: 4)
    let exited = course.add(.exited, 1)
    if !isKnown { course.request(3, priority: 7) }
    course.add(.entering, 2, cause: exited)
    course.add(.entered, 2)
    course.add(.exiting, 2)
    course.add(.exited, 2)
    course.add(.entering, 3, cause: course.last)
    return course
  }

  @Test func `a more urgent visit that was requested before the decision has to enter first`() {
    #expect(
      passing(true).words == [
        "out-of-order 8: Visit #2 (b) was told to enter before #3 (c), which is more urgent."
      ])
    #expect(passing(false).codes == [])
  }

  @Test func `a decision counts from the input before a later step`() {
    var course = Course(.byUrgency)
    course.show(1)
    course.request(2)
    course.add(.exiting, 1, cause: 4)
    let exited = course.add(.exited, 1)
    course.request(3, priority: 7)
    let step = course.add(.resumed, cause: exited)
    course.add(.entering, 2, cause: step)
    course.add(.entered, 2)
    course.add(.exited, 2)
    course.add(.entering, 3, cause: course.last)
    #expect(course.codes == [])
  }

  @Test func `if the time of the decision is not recorded, nothing is found`() {
    var course = Course(.byUrgency, fidelity: .ordered)
    course.request(1)
    course.request(2, priority: 7)
    course.add(.entering, 1)
    course.add(.exited, 1)
    course.add(.entering, 2)
    #expect(course.codes == [])
  }

  /// Two visits lie over each other, and one of them exits.
  private func popping(_ discipline: Discipline, _ visit: UInt32) -> Course {
    var course = Course(discipline)
    course.show(1)
    course.show(2)
    course.add(.exiting, visit)
    course.add(.exited, visit)
    return course
  }

  @Test func `on a stack, the top has to exit first`() {
    #expect(
      popping(.stack, 1).words == [
        "out-of-order 7: Visit #1 (a) was told to exit before #2 (b), which lies over it."
      ])
    #expect(popping(.stack, 2).codes == [])
    #expect(popping(.atOnce, 1).codes == [])
  }

  @Test func `on a stack, the one below may exit while the top still exits`() {
    var course = Course(.stack)
    for visit in 1...3 as ClosedRange<UInt32> { course.show(visit) }
    for visit in [3, 2] as [UInt32] { course.add(.exiting, visit) }
    for visit in [2, 3] as [UInt32] { course.add(.exited, visit) }
    #expect(course.codes == [])
  }

  @Test func `a visit that enters before several others is found once`() {
    var course = Course()
    for visit in 1...3 as ClosedRange<UInt32> { course.request(visit) }
    for visit in [3, 1, 2] as [UInt32] {
      course.add(.entering, visit)
      course.add(.entered, visit)
      course.add(.exited, visit)
    }
    #expect(course.codes == ["out-of-order 4"])
  }

  @Test func `without a queue, there is no order to check`() {
    #expect(jumping(.atOnce).codes == [])
  }

  @Test func `if only arrivals are recorded, their order is checked`() {
    var course = Course(fidelity: .threeKind)
    course.request(1)
    course.request(2)
    course.add(.entered, 2)
    course.add(.exited, 2)
    course.add(.entered, 1)
    #expect(course.codes == ["out-of-order 3"])
  }
}
