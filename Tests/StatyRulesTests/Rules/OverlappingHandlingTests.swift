import Staty
import StatyHistory
import Testing

@Suite("overlapping-handling")
struct OverlappingHandlingTests {
  private func intruding(
    _ fidelity: Fidelity = .full, thread: UInt8 = 1, cause: Int64 = 0, kind: EventKind = .entering,
    later: UInt8 = 0
  ) -> Course {
    var course = Course(fidelity: fidelity)
    let asked = course.request(1)
    course.request(2, cause: cause, thread: thread)
    course.add(kind, 1, cause: asked, thread: later)
    return course
  }

  @Test func `another thread makes an input during the handling of an input`() {
    #expect(
      intruding().words == [
        "overlapping-handling 2: Another thread told the controller something about visit #2 (b) "
          + "while it was handling event 1."
      ])
  }

  @Test func `inputs of the same thread, with a cause or in a later step are no error`() {
    #expect(intruding(thread: 0).codes == [])
    #expect(intruding(cause: 1).codes == [])
    #expect(intruding(kind: .resumed).codes.filter { $0.hasPrefix("overlapping") } == [])
    #expect(intruding(later: 1).codes == [])
    #expect(intruding(.ordered).codes == [])
  }
}
