import Chance
import Staty
import StatyHistory
import Testing

@testable import StatyRules

@Suite("mirror")
struct MirrorTests {
  /// Two tracks that should show the same, within a second, and what they do.
  private struct Pair {
    private var rows: [EventRow] = []
    private let controllers: [ControllerRecord]
    private var now: Int64 = 0
    private var lastVisit: UInt32 = 0
    private var shown: [Int32: [(visit: UInt32, state: Int32)]] = [1: [], 2: []]

    init(
      isError: Bool = false, isPath: Bool = true, isWhole: Bool = true, isLate: Bool = false,
      isEmpty: Bool = false
    ) {
      controllers = (1...2).map { id in
        var snapshot = SnapshotRecord()
        let side = TrackMirror(pair: 5, within: 1_000_000, isError: isError, isPath: isPath)
        snapshot.mirrors = isWhole || id == 1 ? [side] : nil
        snapshot.isLate = isLate && id == 1 ? true : nil
        snapshot.isEmpty = isEmpty && id == 1 ? true : nil
        return .made(id: Int32(id), discipline: .moves, snapshot: snapshot.text)
      }
      for controller in controllers { add(.attached, controller.id) }
    }

    private mutating func add(
      _ kind: EventKind, _ controller: Int32, _ visit: UInt32 = 0, _ state: Int32 = 0,
      _ reason: EventReason? = nil
    ) {
      rows.append(
        EventRow(
          seq: Int64(rows.count + 1), time: now, kind: kind, reason: reason?.code ?? 0,
          controller: controller, visit: visit, state: state))
    }

    mutating func wait(_ milliseconds: Int64) { now += milliseconds * 1_000 }

    /// Something else happens.
    mutating func mark() { add(.mark, 0) }

    mutating func push(_ state: Int32, on side: Int32) {
      lastVisit += 1
      shown[side]!.append((lastVisit, state))
      add(.moved, side, lastVisit, state, .movedPush)
    }

    mutating func pop(on side: Int32) {
      guard let top = shown[side]!.popLast() else { return }
      add(.moved, side, top.visit, top.state, .movedPop)
    }

    /// A change of a track that is no path.
    mutating func move(to state: Int32, on side: Int32) {
      lastVisit += 1
      add(.moved, side, lastVisit, state)
    }

    mutating func detach(_ side: Int32) { add(.detached, side) }

    mutating func lose() {
      rows.append(EventRow(seq: Int64(rows.count + 9), time: now, kind: .mark))
    }

    func states(_ side: Int32) -> [Int32] { shown[side]!.map(\.state) }

    private var checker: SessionChecker {
      var checker = SessionChecker(session: 1, controllers: controllers)
      for row in rows { checker.take(row) }
      return checker
    }

    /// Why they could not be judged if the recording ends now.
    var obstacle: MirrorWatch.Obstacle? {
      checker.mirrorObstacles(endTime: now).first { $0.track == 1 }?.obstacle
    }

    /// The moves of both tracks that the finding is told with.
    var told: [Int64] {
      var checker = checker
      let found = checker.drain() + checker.findingsAtEnd(endTime: now, isCut: false)
      let finding = found.first { $0.code == .mirror }
      return finding.flatMap { FindingContext($0, among: rows)?.both.map(\.seq) } ?? []
    }

    /// What is found if the recording ends now.
    var found: [String] {
      let names: [Int32: String] = [1: "a", 2: "b", 3: "c"]
      var checker = checker
      return (checker.drain() + checker.findingsAtEnd(endTime: now, isCut: false)).sorted().filter {
        $0.code == .mirror
      }.map { "\($0.severity) \($0.seq): " + $0.detail { names[$0] } }
    }
  }

  @Test func `at the end, two tracks that rest and differ are found`() {
    var pair = Pair()
    pair.push(1, on: 1)
    pair.wait(100)
    pair.push(1, on: 2)
    pair.push(2, on: 1)
    pair.wait(900)
    #expect(pair.found == [])
    #expect(pair.obstacle == .early)
    pair.wait(200)
    #expect(pair.obstacle == nil)
    #expect(
      pair.found == [
        "warning 5: The track showed #3 (b) and its mirror #2 (a), 2 elements against 1; neither moved within the "
          + "declared time."
      ])
  }

  @Test(arguments: [0, 21_000])
  func `it is told with the last moves of both, however long one has not moved`(marks: Int) {
    var pair = Pair(isPath: false)
    for side in [2, 1] as [Int32] { pair.move(to: 1, on: side) }
    for _ in 0..<marks { pair.mark() }
    pair.move(to: 2, on: 1)
    pair.wait(2_000)
    #expect(pair.told == (marks == 0 ? [3, 4, 5] : [3, 21_005]))
  }

  @Test func `pairs that are over make room for later ones`() {
    var (rows, controllers): ([EventRow], [ControllerRecord]) = ([], [])
    func add(_ kind: EventKind, _ controller: Int32, _ state: Int32 = 0) {
      rows.append(
        EventRow(
          seq: Int64(rows.count + 1), time: Int64(rows.count), kind: kind, controller: controller,
          visit: state == 0 ? 0 : 1, state: state))
    }
    for pair in 1...300 as ClosedRange<Int32> {
      for side in [2 * pair - 1, 2 * pair] {
        var snapshot = SnapshotRecord()
        snapshot.mirrors = [
          TrackMirror(pair: UInt32(pair), within: 1_000_000, isError: false, isPath: false)
        ]
        controllers.append(.made(id: side, discipline: .moves, snapshot: snapshot.text))
        add(.attached, side)
        add(.moved, side, pair == 300 ? side - 598 : 1)
      }
      if pair < 300 { for side in [2 * pair - 1, 2 * pair] { add(.detached, side) } }
    }
    var checker = SessionChecker(session: 1, controllers: controllers)
    for row in rows { checker.take(row) }
    // The last two have a name in common, and rest with different ones.
    for (side, state) in [(599, 2), (600, 1)] as [(Int32, Int32)] {
      add(.moved, side, state)
      checker.take(rows.last!)
    }
    let found = checker.drain() + checker.findingsAtEnd(endTime: 9_000_000, isCut: false)
    #expect(found.filter { $0.code == .mirror }.count == 1)
  }

  @Test func `of a silence, half counts: the app may have been stopped`() {
    var pair = Pair()
    pair.push(1, on: 1)
    pair.wait(60_000)
    pair.push(1, on: 2)
    pair.wait(60_000)
    #expect(pair.found == [])
    #expect(pair.obstacle == .silence)
  }

  @Test func `where other events come meanwhile, the app has run`() {
    var pair = Pair()
    pair.push(1, on: 1)
    for _ in 0..<4 {
      pair.wait(300)
      pair.mark()
    }
    pair.push(1, on: 2)
    #expect(pair.found.count == 1)
  }

  @Test func `a second silence in which they differ is enough`() {
    var pair = Pair()
    pair.push(1, on: 1)
    pair.wait(5_000)
    pair.push(2, on: 1)
    pair.wait(5_000)
    pair.mark()
    pair.push(1, on: 2)
    pair.push(2, on: 2)
    #expect(pair.found.count == 1)
  }

  @Test func `each difference is told once`() {
    var pair = Pair()
    for state in [1, 2] as [Int32] {
      pair.push(state, on: 1)
      for _ in 0..<10 {
        pair.wait(500)
        pair.mark()
      }
      pair.push(state, on: 2)
    }
    pair.wait(5_000)
    #expect(pair.found.count == 2)
  }

  @Test func `the order of the elements counts, and their names alone`() {
    var pair = Pair()
    for state in [1, 2] as [Int32] { pair.push(state, on: 1) }
    for state in [2, 1] as [Int32] { pair.push(state, on: 2) }
    pair.wait(2_000)
    #expect(pair.found.count == 1)
    for _ in 0..<2 { pair.pop(on: 2) }
    for state in [1, 2] as [Int32] { pair.push(state, on: 2) }
    pair.wait(2_000)
    #expect(pair.found == [])
  }

  @Test func `it can be declared to be an error`() {
    var pair = Pair(isError: true)
    pair.push(1, on: 1)
    pair.wait(2_000)
    #expect(pair.found.map { $0.prefix(5) } == ["error"])
  }

  @Test func `a value that is not known is not compared`() {
    var pair = Pair(isPath: false)
    pair.move(to: 1, on: 1)
    pair.wait(2_000)
    #expect(pair.found == [])
    pair.move(to: 1, on: 2)
    pair.move(to: 2, on: 2)
    pair.wait(2_000)
    #expect(pair.found.count == 1)
    pair.move(to: 1, on: 2)
    #expect(pair.found == [])
  }

  @Test(arguments: [false, true])
  func `a path that had moves before is not known until its first element`(isLost: Bool) {
    var pair = Pair(isLate: true)
    pair.push(1, on: 2)
    pair.wait(2_000)
    #expect(pair.found == [])
    #expect(pair.obstacle == .unheard)
    if isLost { pair.lose() }
    for state in [1, 2] as [Int32] { pair.push(state, on: 1) }
    pair.wait(2_000)
    #expect(pair.found.count == (isLost ? 0 : 1))
    #expect(pair.obstacle == (isLost ? .lost : nil))
  }

  @Test func `a path that had moves before and is known to be empty differs from what is shown`() {
    var pair = Pair(isLate: true, isEmpty: true)
    pair.push(1, on: 2)
    pair.wait(2_000)
    #expect(pair.found.count == 1)
  }

  @Test func `two that are named differently are not compared`() {
    var pair = Pair(isPath: false)
    pair.move(to: 1, on: 1)
    pair.move(to: 2, on: 2)
    pair.wait(5_000)
    #expect(pair.found == [])
    #expect(pair.obstacle == .unlike)
    pair.move(to: 1, on: 2)
    pair.move(to: 2, on: 2)
    pair.wait(5_000)
    #expect(pair.found.count == 1)
    #expect(pair.obstacle == nil)
  }

  @Test func `one that is gone is not compared, nor after a loss`() {
    for isGone in [false, true] {
      var pair = Pair()
      pair.push(1, on: 1)
      if isGone { pair.detach(2) } else { pair.lose() }
      pair.pop(on: 2)
      pair.push(2, on: 1)
      pair.wait(5_000)
      #expect(pair.found == [])
      // What is not judged is said.
      #expect(pair.obstacle == (isGone ? nil : .lost))
    }
  }

  @Test func `one whose other side was never recorded is not compared`() {
    var pair = Pair(isWhole: false)
    pair.push(1, on: 1)
    pair.wait(5_000)
    #expect(pair.found == [])
  }

  /// What is found if the first of some tracks moves on and the others do not, each with its pairs.
  private func found(_ pairs: [[UInt32]], withMarks: Bool) -> [Finding] {
    let controllers = pairs.enumerated().map { number, pairs in
      var snapshot = SnapshotRecord()
      snapshot.mirrors = pairs.map {
        TrackMirror(pair: $0, within: 1_000_000, isError: false, isPath: false)
      }
      return ControllerRecord.made(
        id: Int32(number + 1), discipline: .moves, snapshot: snapshot.text)
    }
    var checker = SessionChecker(session: 1, controllers: controllers)
    var (seq, now): (Int64, Int64) = (0, 0)
    func take(_ kind: EventKind, _ controller: Int32 = 0, _ visit: UInt32 = 0) {
      seq += 1
      checker.take(
        EventRow(
          seq: seq, time: now, kind: kind, controller: controller, visit: visit,
          state: Int32(visit)))
    }
    for controller in controllers { take(.attached, controller.id) }
    for controller in controllers { take(.moved, controller.id, 1) }
    take(.moved, 1, 2)
    for _ in 0..<4 {
      now += 400_000
      if withMarks { take(.mark) }
    }
    return checker.drain() + checker.findingsAtEnd(endTime: now, isCut: false)
  }

  @Test(arguments: [false, true])
  func `two tracks that mirror each other in both directions differ once`(withMarks: Bool) {
    #expect(found([[1, 2], [1, 2]], withMarks: withMarks).map(\.code) == [.mirror])
  }

  @Test(arguments: [false, true])
  func `a track that differs from each of two mirrors is found beside both`(withMarks: Bool) {
    let found = found([[1, 2], [1], [2]], withMarks: withMarks)
    #expect(found.map(\.code) == [.mirror, .mirror])
    #expect(found.map(\.facts.otherController) == [2, 3])
  }

  @Test func `a file may declare any number of them, with any numbers`() {
    var snapshot = SnapshotRecord()
    snapshot.mirrors = []
    for number in 0..<10_000 {
      let within: Int64 = number % 2 == 0 ? .min : .max
      let pair = UInt32(number % 700)
      snapshot.mirrors?.append(
        TrackMirror(pair: pair, within: within, isError: false, isPath: number % 3 == 0))
    }
    let text = snapshot.text
    let controllers = ([1, 2, 3] as [Int32]).map {
      ControllerRecord.made(id: $0, discipline: .moves, snapshot: text)
    }
    var checker = SessionChecker(session: 1, controllers: controllers)
    let times: [Int64] = [.max, .min, 3, 1, 9]
    for number in 0..<300 {
      let kind: EventKind = number < 3 ? .attached : .moved
      checker.take(
        EventRow(
          seq: Int64(number + 1), time: times[number % 5], kind: kind,
          controller: Int32(number % 3 + 1), visit: UInt32(number), state: Int32(number % 4)))
    }
    // It ends, and says no more than there are pairs and moves.
    let count = checker.drain().count + checker.findingsAtEnd(endTime: .max, isCut: false).count
    #expect(count < 76_800)
  }

  @Test func `a screen that follows its path in time is never found`() {
    var random = SeededRandom(seed: testSeed)
    for _ in 0..<1_000 {
      var pair = Pair()
      for _ in 0..<20 {
        if random.chance(60) {
          pair.push(.random(in: 1...3, using: &random), on: 1)
        } else {
          pair.pop(on: 1)
        }
        // The platform is behind by some moves, and less than the time that it may be.
        pair.wait(.random(in: 0...45, using: &random))
        if random.chance(30) { pair.mark() }
        if random.chance(70) {
          while pair.states(2).count > pair.states(1).count
            || !pair.states(1).starts(with: pair.states(2))
          { pair.pop(on: 2) }
          for state in pair.states(1).dropFirst(pair.states(2).count) { pair.push(state, on: 2) }
          pair.wait(.random(in: 0...90_000, using: &random))
        }
      }
      #expect(pair.found == [] || pair.states(1) != pair.states(2), "STATY_SEED=\(testSeed)")
    }
  }
}
