import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("stale-request")
struct StaleRequestTests {
  @Test func `a visit makes a request after it has exited`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.request(2, by: 1)
    course.add(.entering, 2, cause: 5)
    #expect(
      course.words
        == ["stale-request 5: Visit #2 (b) was requested by visit #1, which had already ended."])
    #expect(course.findings().first?.severity == .warning)
  }

  @Test func `a visit that had exited before events were lost makes one, too`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.lose(1)
    course.add(.mark, controller: 0, skipping: 1)
    let asked = course.request(2, by: 1)
    #expect(course.codes == ["stale-request \(asked)"])
  }

  @Test func `a visit on the stage and an unknown one may make requests`() {
    var course = Course()
    course.show(1)
    let asked = course.request(2, by: 1)
    course.add(.exiting, 1, cause: asked)
    course.request(3, by: 9)
    #expect(course.codes == [])
  }
}
