import Staty
import StatyHistory
import Testing

@Suite("reentrant-request")
struct ReentrantRequestTests {
  @Test func `a request is made inside of an enter or an exit`() {
    var course = Course()
    course.request(1)
    let telling = course.add(.entering, 1, cause: 1)
    course.request(2, by: 1, cause: telling)
    course.add(.entered, 1)
    let leaving = course.add(.exiting, 1, cause: 4)
    course.request(3, by: 1, cause: leaving)
    #expect(
      course.words == [
        "reentrant-request 3: Visit #2 (b) was requested while #1 (a) was being told to enter.",
        "reentrant-request 6: Visit #3 (c) was requested while #1 (a) was being told to exit.",
      ])
  }

  @Test func `a request after an input, or inside of another controller, is no error`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1, cause: 1)
    let said = course.add(.entered, 1)
    course.request(2, cause: said)
    course.add(.exiting, 1, cause: 4)
    let foreign = course.add(.entering, 1, controller: 8)
    course.request(3, cause: foreign)
    #expect(course.codes == [])
  }
}
