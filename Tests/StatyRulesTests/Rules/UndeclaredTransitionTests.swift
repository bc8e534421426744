import Staty
import StatyHistory
import Testing

@Suite("undeclared-transition")
struct UndeclaredTransitionTests {
  /// From the beginning to a, from a to b, from anywhere to d.
  private static let routes =
    #"{"standing":[],"waiting":[],"isWithholding":false,"#
    + #""isTornDown":false,"lastVisit":0,"routes":[{"to":"a"},{"from":"a","to":"b"},"#
    + #"{"isAnywhere":true,"to":"d"}],"states":["a","b","c","d"]}"#

  private func course(_ visits: UInt32...) -> Course {
    var course = Course(snapshot: Self.routes)
    for visit in 1..<visits[0] { discard(visit, &course) }
    var last = visits[0]
    for visit in visits {
      if visit > last + 1 { for between in (last + 1)..<visit { discard(between, &course) } }
      course.show(visit)
      course.add(.exiting, visit)
      course.add(.exited, visit)
      last = visit
    }
    return course
  }

  private func discard(_ visit: UInt32, _ course: inout Course) {
    let asked = course.request(visit)
    course.add(.discarded, visit, .rejected, cause: asked)
  }

  @Test func `a visit enters although no route leads there`() {
    #expect(
      course(1, 3).words == [
        "undeclared-transition 9: Visit #3 (c) entered, but no route leads there from a."
      ])
  }

  @Test func `the first visit enters although no route leads there from the beginning`() {
    #expect(
      course(2).words == [
        "undeclared-transition 4: Visit #2 (b) entered, but no route leads there from the "
          + "beginning."
      ])
  }

  @Test func `discarded visits do not count for routes`() {
    #expect(course(1, 2).codes == [])
    #expect(course(1, 4).codes == [])
    #expect(course(4).codes == [])
  }

  @Test(arguments: [true, false])
  func `a request made while nothing is shown needs a route from the beginning`(isAnew: Bool) {
    let routes = Self.routes.replacing(#"{"from":"a","to":"b"}"#, with: #"{"to":"b"}"#)
    var course = Course(snapshot: routes)
    course.show(1)
    course.add(.exited, 1)
    let asked = course.request(2, answers: isAnew ? RouteTable.anew : 0)
    course.add(.entering, 2, cause: asked)
    course.add(.entered, 2)
    #expect(course.codes == (isAnew ? [] : ["undeclared-transition 6"]))
  }

  @Test(arguments: [true, false])
  func `a request made before the recording while nothing was shown needs one, too`(isAnew: Bool) {
    let routes = Self.routes.replacing(#"{"from":"a","to":"b"}"#, with: #"{"to":"b"}"#)
    var course = Course(snapshot: routes)
    course.add(.attached)
    course.stand(1, .stoodExiting)
    course.stand(2, .stoodWaiting, answers: isAnew ? RouteTable.anew : 0)
    let gone = course.add(.exited, 1)
    course.add(.entering, 2, cause: gone)
    course.add(.entered, 2)
    #expect(course.codes == (isAnew ? [] : ["undeclared-transition 5"]))
  }

  @Test(arguments: [true, false])
  func `a request made before lost events while nothing was shown needs one, too`(isAnew: Bool) {
    let routes = Self.routes.replacing(#"{"from":"a","to":"b"}"#, with: #"{"to":"b"}"#)
    var course = Course(snapshot: routes)
    course.show(1)
    course.request(2, answers: isAnew ? RouteTable.anew : 0)
    course.lose(1)
    course.add(.exited, 1, skipping: 1)
    course.show(4)
    course.add(.exited, 4)
    course.add(.entering, 2)
    #expect(course.codes == (isAnew ? [] : ["undeclared-transition 11"]))
  }

  @Test func `after lost events, the origin of a route is unknown`() {
    var course = Course(snapshot: Self.routes)
    course.show(1)
    course.lose(1)
    course.request(3)
    course.add(.entering, 3)
    #expect(course.codes == [])
  }
}
