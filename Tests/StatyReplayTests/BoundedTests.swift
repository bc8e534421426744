import Staty
import StatyHistory
import StatyReplay
import Testing

/// What a replay keeps does not grow with the recording, however much there is to say of it.
@Suite struct BoundedTests {
  /// The numbers and rows of a queue that diverges in each transition.
  private struct Course {
    private(set) var rows = [EventRow(seq: 1, time: 0, kind: .attached, controller: 1)]
    private var seq: Int64 = 1

    /// The number of an event that is not there.
    mutating func skip() -> Int64 {
      seq += 1
      return seq
    }

    @discardableResult
    mutating func add(_ kind: EventKind, _ visit: Int, cause: Int64 = 0) -> Int64 {
      seq += 1
      rows.append(
        EventRow(
          seq: seq, time: seq * 3, kind: kind, controller: 1, visit: UInt32(visit), state: 1,
          cause: cause))
      return seq
    }

    /// One transition, as a queue does it.
    ///
    /// - Parameters:
    ///   - tells: whether the one before is told to exit.
    ///   - isMoved: whether this one is let in by the request.
    mutating func transition(_ visit: Int, tells: Bool = true, isMoved: Bool = false) {
      let asked = add(.enqueued, visit)
      if visit == 1 {
        add(.entering, visit, cause: asked)
      } else {
        if tells { add(.exiting, visit - 1, cause: asked) }
        let out = add(.exited, visit - 1)
        add(.entering, visit, cause: isMoved ? asked : out)
      }
      add(.entered, visit)
    }
  }

  private func verify(_ course: Course) throws -> ReplayResult {
    let history = try RecordedHistory()
    let writer = try HistoryWriter(path: history.path)
    _ = try writer.intern(name: "content")
    let session = try writer.beginSession(
      SessionOpening(uuid: "u", app: "", appVersion: "", os: "", pid: 1, wallTime: 1))
    var snapshot = SnapshotRecord()
    snapshot.isWithholding = false
    _ = try writer.addController(
      session: session, name: "checkout", policy: "queue", fidelity: 1, snapshot: snapshot.text)
    _ = try course.rows.withUnsafeBufferPointer { try writer.append($0, to: session) }
    try writer.endSession(session, .clean)
    try writer.close()
    return try history.verify()
  }

  @Test func `of many divergences the first are kept and all are counted`() throws {
    var course = Course()
    for visit in 1...2_000 { course.transition(visit, tells: false) }
    let result = try verify(course)
    #expect(result.verdict == .diverged)
    #expect(result.divergences.count == ReplayResult.most)
    #expect(result.divergenceCount == 1_999)
    #expect(result.matched == 2_000)
    #expect(result.divergences.allSatisfy { $0.time == $0.seq * 3 })
    #expect(result.divergences.map(\.matchedBefore) == Array(1...ReplayResult.most))
  }

  @Test func `runs that differ in what is only counted have other digests`() throws {
    var one = Course()
    var other = Course()
    for visit in 1...500 {
      one.transition(visit, tells: false)
      other.transition(visit, tells: visit == 400)
    }
    #expect(try verify(one).digest != verify(other).digest)
    #expect(try verify(one).digest == verify(one).digest)
  }

  @Test func `what differs in its cause alone does not hide what is done otherwise`() throws {
    var course = Course()
    for visit in 1...300 { course.transition(visit, tells: visit != 250, isMoved: true) }
    let result = try verify(course)
    #expect(result.divergences.first?.difference.isMoved == true)
    #expect(result.divergences.count == ReplayResult.most + 1)
    #expect(result.divergences.last?.difference.isMoved == false)
    #expect(result.divergenceCount == 299)
  }

  @Test func `a decision of another kind in the same handling shows though one moved before it`()
    throws
  {
    var course = Course()
    course.transition(1)
    course.add(.enqueued, 2)
    course.add(.exiting, 1, cause: 1)
    course.add(.enqueued, 3)
    course.add(.exited, 1)
    course.add(.entering, 3)
    let result = try verify(course)
    let differences = result.divergences.map(\.difference)
    #expect(differences.count == 2)
    #expect(differences.first?.isMoved == true)
    guard let last = differences.last, last.kind == .different, let recorded = last.recorded,
      let replayed = last.replayed
    else {
      Issue.record("\(differences)")
      return
    }
    #expect(recorded.visit.rawValue == 3 && replayed.visit.rawValue == 2)
  }

  @Test func `inputs that cannot be told are counted`() throws {
    var course = Course()
    course.transition(1)
    for _ in 0..<300 {
      let missing = course.skip()
      course.add(.exited, 1, cause: missing)
    }
    let result = try verify(course)
    #expect(result.unreached.count == ReplayResult.most)
    #expect(result.unreachedCount == 300)
    #expect(result.verdict == .inconclusive)
  }

  @Test func `a controller at which ever more waits is given up`() throws {
    var course = Course()
    for visit in 1...6_000 {
      let asked = course.add(.enqueued, visit)
      course.add(.entering, visit, cause: asked)
      course.add(.entered, visit)
    }
    let result = try verify(course)
    #expect(result.verdict == .diverged)
    guard case .outgrown(controller: 1, let seq)? = result.doubts.first else {
      Issue.record("\(result.doubts)")
      return
    }
    #expect(seq < 13_000)
  }

  @Test func `a controller that cannot be told most of what happened is given up, too`() throws {
    var course = Course()
    course.transition(1)
    for visit in 2...12_000 {
      course.add(.enqueued, visit)
      let missing = course.skip()
      let out = course.add(.exited, visit - 1, cause: missing)
      let told = course.add(.entering, visit, cause: out)
      course.add(.entered, visit, cause: told)
    }
    let result = try verify(course)
    #expect(result.verdict == .diverged)
    #expect(result.doubts.contains { if case .outgrown = $0 { true } else { false } })
  }

  @Test func `where nothing was decided there is nothing to compare`() throws {
    let result = try verify(Course())
    #expect(result.doubts == [.nothingToCompare])
    #expect(result.verdict == .inconclusive)
  }
}
