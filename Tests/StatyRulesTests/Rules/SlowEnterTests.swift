import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("slow-enter")
struct SlowEnterTests {
  private func entering(seconds: Int64) -> Course {
    var course = Course()
    let asked = course.request(1)
    course.add(.entering, 1, cause: asked)
    course.wait(seconds: seconds)
    course.add(.entered, 1)
    return course
  }

  @Test func `a state takes long to enter`() {
    #expect(entering(seconds: 4).words == ["slow-enter 3: Visit #1 (a) took 4.0 s to enter."])
    #expect(entering(seconds: 0).codes == [])
  }

  @Test func `the limit can be set`() {
    var options = CheckOptions()
    options.slowEnter = .seconds(5)
    #expect(entering(seconds: 4).findings(options).isEmpty)
    #expect(entering(seconds: 5).findings(options).map(\.code) == [.slowEnter])
  }
}
