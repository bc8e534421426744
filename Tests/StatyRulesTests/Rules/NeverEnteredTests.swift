import Staty
import StatyHistory
import StatyRules
import Testing

@Suite("never-entered")
struct NeverEnteredTests {
  @Test func `a visit waits while the stage is empty`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(
      course.words
        == ["never-entered 4: Visit #2 (b) never entered, although the stage was empty."])
  }

  @Test func `a visit waits and the one on the stage is not told to exit`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.request(3)
    #expect(
      course.words.first
        == "never-entered 4: Visit #2 (b) never entered, because #1 (a) was not told to exit after it had entered."
    )
    #expect(course.codes.count == 1)
  }

  /// Alerts wait until the user has closed the one on screen.
  @Test func `waiting behind a visit that exits by itself is worth a note at most`() {
    var course = Course()
    course.show(1)
    let closed = course.add(.exited, 1)
    course.request(2)
    course.add(.entering, 2, cause: closed)
    course.add(.entered, 2)
    course.request(3)
    course.request(4)
    course.wait(seconds: 3)
    course.add(.mark)
    #expect(course.codes == ["never-entered 8", "never-entered 9"])
    #expect(course.findings().allSatisfy { $0.severity == .note && !$0.isSought })
    #expect(
      course.words.first
        == "never-entered 8: Visit #3 (c) never entered: #2 (b) was still on screen, and visits here exit by "
        + "themselves.")
  }

  /// The first of them has not been closed yet.
  @Test func `waiting behind a visit that awaits the user is worth a note`() {
    var course = Course()
    course.show(1, answers: RouteTable.awaitsUser)
    course.request(2)
    course.request(3)
    course.wait(seconds: 3)
    course.add(.mark)
    #expect(course.codes == ["never-entered 4", "never-entered 5"])
    #expect(course.findings().allSatisfy { $0.severity == .note && !$0.isSought })
  }

  /// The recorder begins anew with another number.
  @Test func `behind a loss, a visit that goes on under another number may still enter`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.lose(1)
    course.add(.mark, controller: 0, skipping: 1)
    course.show(2)
    course.request(3)
    let stood = course.beginAnew((2, .stoodEntered), (3, .stoodWaiting))
    #expect(course.codes == [])
    course.request(4)
    // Visits here exit by themselves, as was seen before.
    #expect(
      course.words.first
        == "never-entered \(stood + 1): Visit #3 (c) never entered: #2 (b) was still on screen, and visits here "
        + "exit by themselves.")
    let gone = course.add(.exited, 2)
    course.add(.entering, 3, cause: gone)
    course.add(.entered, 3)
    #expect(course.codes.filter { $0.hasSuffix(" \(stood + 1)") } == [])
  }

  @Test func `what stood when recording began is no proof that a visit could enter`() {
    var course = Course()
    course.add(.attached)
    course.add(.stood, 1, .stoodEntered)
    for visit in [2, 3] as [UInt32] { course.add(.stood, visit, .stoodWaiting) }
    #expect(course.codes == [])
    course.request(4)
    #expect(course.codes == ["never-entered 3", "never-entered 4"])
  }

  @Test func `a controller that has made room before has to do it again`() {
    var course = Course()
    course.show(1)
    course.add(.exited, 1)
    course.show(2)
    let third = course.request(3)
    course.add(.exiting, 2, cause: third)
    let gone = course.add(.exited, 2)
    course.add(.entering, 3, cause: gone)
    course.add(.entered, 3)
    course.request(4)
    course.request(5)
    #expect(course.findings().first?.severity == .error)
    #expect(course.words.first?.contains("because #3 (c) was not told to exit") == true)
  }

  /// A debounce may be at work: what makes room is no proof that nothing follows, but time is.
  @Test func `a visit may be held back for a while after the stage has become free`() {
    for isLong in [false, true] {
      var course = Course()
      let asked = course.request(1)
      let step = course.add(.resumed, cause: asked)
      course.add(.entering, 1, cause: step)
      course.add(.entered, 1)
      course.request(2)
      course.add(.exited, 1)
      if isLong { course.wait(seconds: 3) }
      course.add(.mark)
      #expect(course.codes == (isLong ? ["never-entered 5"] : []))
    }
  }

  @Test func `a visit that was requested later enters first`() {
    var course = Course()
    course.request(1)
    course.request(2)
    course.add(.entering, 2, cause: 2)
    #expect(
      course.words
        == [
          "never-entered 1: Visit #1 (a) never entered, although #2 (b), requested later, did."
        ]
    )
  }

  @Test func `waiting behind a visit that exits is no error`() {
    var course = Course()
    course.show(1)
    course.request(2)
    course.add(.exiting, 1, cause: 4)
    course.request(3)
    #expect(course.codes == [])
  }

  @Test func `with priorities, a more urgent visit may enter first`() {
    var course = Course(.byUrgency)
    course.show(1)
    course.request(2)
    course.request(3, priority: 5)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    course.add(.entering, 3, cause: 7)
    #expect(course.codes == [])
  }

  @Test func `without a target, waiting is no error`() {
    let unbound =
      #"{"standing":[],"waiting":[],"isWithholding":true,"isTornDown":false,"#
      + #""lastVisit":0}"#
    var course = Course(snapshot: unbound)
    course.add(.attached)
    course.request(1)
    course.wait(seconds: 60)
    course.request(2)
    #expect(course.codes == [])
    course.add(.resumed)
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(course.codes == ["never-entered 2", "never-entered 3"])
  }

  @Test func `after a tear-down and if discards are not recorded, waiting is no error`() {
    var course = Course()
    course.request(1)
    course.add(.cancelled, 0, .cancelledTearDown)
    course.wait(seconds: 60)
    course.add(.mark)
    #expect(course.codes == [])
    var threeKind = Course(fidelity: .threeKind)
    threeKind.request(1)
    threeKind.request(2)
    threeKind.add(.entered, 2)
    #expect(threeKind.codes == [])
  }

  /// A visit waits before an empty stage when recording ends.
  private func ending(
    _ fidelity: Fidelity = .full, inside place: Int64 = 0, step: Int64 = 0
  ) -> Course {
    var course = Course(fidelity: fidelity)
    course.show(1)
    course.add(.exited, 1)
    course.request(2)
    if step > 0 { course.add(.resumed, cause: step) }
    course.add(.detached, cause: place)
    course.wait(seconds: 60)
    course.add(.mark)
    return course
  }

  @Test func `a class that looks for something every second lets a visit enter in time`() {
    var course = Course()
    course.add(.attached)
    course.add(.resumed, cause: 1)
    course.request(1)
    for _ in 0..<5 {
      course.wait(seconds: 1)
      course.add(.resumed, cause: course.last)
    }
    #expect(
      course.words
        == ["never-entered 3: Visit #1 (a) never entered, although the stage was empty."])
  }

  @Test func `a class that acts in a task of its own has time for it`() {
    var course = Course()
    course.request(1)
    course.add(.entering, 1)
    course.add(.entered, 1)
    course.add(.exited, 1)
    course.request(2)
    course.request(3)
    #expect(course.codes == [])
    course.wait(seconds: 3)
    course.add(.mark)
    #expect(course.codes == ["never-entered 5", "never-entered 6"])
  }

  @Test
  func
    `a class that dismisses in a step of its own may let the next one enter in one, if it is killed`()
  {
    var course = Course()
    course.show(1)
    course.wait(seconds: 2)
    let dismissed = course.add(.resumed, cause: course.last)
    course.add(.exiting, 1, cause: dismissed)
    course.request(2)
    course.add(.exited, 1)
    course.request(3)
    #expect(course.findings(isCut: true) == [])
    course.wait(seconds: 2)
    course.add(.mark)
    #expect(course.findings(isCut: true).map(\.seq) == [6, 8])
  }

  @Test
  func `a class that lets visits enter in the next turn is still in this one if it is killed`() {
    var course = Course()
    for visit in [1, 2] as [UInt32] {
      let asked = course.request(visit)
      let turn = course.add(.resumed, cause: asked)
      course.add(.entering, visit, cause: turn)
      course.add(.entered, visit)
      course.add(.exited, visit)
    }
    course.request(3)
    course.request(4)
    #expect(course.findings(isCut: true) == [])
    course.wait(seconds: 1)
    course.request(5)
    #expect(course.findings(isCut: true).first?.seq == 11)
  }

  @Test func `a step that was put off before the recording is no input of the user's`() {
    var course = Course(
      snapshot:
        #"{"standing":[],"waiting":[],"isWithholding":false,"isTornDown":false,"lastVisit":0}"#)
    course.add(.attached)
    course.request(1)
    course.add(.resumed)
    #expect(course.codes == [])
  }

  @Test func `a visit that waits when recording ends between two inputs never entered`() {
    #expect(
      ending().words
        == ["never-entered 5: Visit #2 (b) never entered, although the stage was empty."])
  }

  @Test func `a visit that waits when recording ends inside an input may enter later`() {
    // Recording ends inside of a request, before a later step, or without recorded places.
    #expect(ending(inside: 5).codes == [])
    #expect(ending(step: 4).codes == [])
    #expect(ending(.ordered).codes == [])
    var itself = Course()
    itself.request(1)
    itself.add(.entering, 1)
    itself.add(.entered, 1)
    itself.add(.exited, 1)
    itself.request(2)
    itself.add(.detached)
    #expect(itself.codes == [])
  }

  @Test func `a cancelled visit need not enter`() {
    var course = Course()
    course.request(1)
    course.add(.cancelled, 1, .cancelledVisit)
    course.add(.detached)
    #expect(course.codes == [])
  }

  @Test func `with priorities, a less urgent visit enters first`() {
    var course = Course(.byUrgency)
    course.show(1)
    course.request(2)
    course.request(3, priority: 5)
    course.add(.exiting, 1, cause: 4)
    course.add(.exited, 1)
    course.add(.entering, 2, cause: 7)
    #expect(
      course.words
        == ["never-entered 5: Visit #3 (c) never entered, although #2 (b), less urgent, did."])
  }

  @Test func `on a stack, a visit must not wait for another one to exit`() {
    var course = Course(.stack)
    course.show(1)
    course.request(2)
    course.request(3)
    #expect(
      course.words.first
        == "never-entered 4: Visit #2 (b) never entered, although nothing was in its way.")
  }

  @Test func `a visit may have entered in events lost at the end`() {
    var course = Course()
    course.request(1)
    course.wait(seconds: 9)
    course.add(.mark)
    #expect(course.codes == ["never-entered 1"])
    course.lose(1)
    #expect(course.codes == [])
  }

  /// Visit #1 exits in a deferred step that was decided on at an event, and #2 enters.
  private func giveWay(_ course: inout Course, decidedAt event: Int64) {
    let step = course.add(.resumed, cause: event)
    course.add(.exiting, 1, cause: step)
    let gone = course.add(.exited, 1)
    course.add(.entering, 2, cause: gone)
    course.add(.entered, 2)
  }

  @Test(arguments: [Int64(0), 9])
  func `waiting behind what a timer ends is worth a note while it may still end`(
    _ seconds: Int64
  ) {
    var course = Course()
    let asked = course.request(1)
    course.add(.entering, 1, cause: asked)
    course.add(.entered, 1)
    course.request(2)
    course.wait(seconds: 4)
    giveWay(&course, decidedAt: asked)
    course.request(3)
    course.request(4)
    course.wait(seconds: seconds)
    course.add(.mark)
    let severities = Set(course.findings().map(\.severity))
    #expect(severities == (seconds == 0 ? [.note] : [.error]))
  }

  /// The exit is put off to the next turn, because another visit waits.
  @Test func `waiting behind what exits only for others is an error`() {
    var course = Course()
    course.show(1)
    course.wait(seconds: 600)
    let asked = course.request(2)
    giveWay(&course, decidedAt: asked)
    course.request(3)
    course.wait(seconds: 3)
    course.add(.mark)
    #expect(course.findings().map(\.severity) == [.error])
  }
}
