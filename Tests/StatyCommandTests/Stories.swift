import Foundation
import StatisticsOracle
import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatySQLite

/// A directory of its own for one test, with histories in it.
final class Place {
  /// What a probe is told of.
  final class State {}

  let directory: String

  init() throws {
    let made = NSTemporaryDirectory() + "staty-command-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
    directory = URL(fileURLWithPath: made).resolvingSymlinksInPath().path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  func path(_ name: String = "history.sqlite") -> String { directory + "/" + name }

  /// Writes each story as a session of one file.
  @discardableResult
  func write(
    _ stories: Story..., to name: String = "history.sqlite", isChecked: Bool = false
  ) throws -> String {
    let writer = try HistoryWriter(path: path(name))
    if isChecked { writer.judge() }
    for (number, story) in stories.enumerated() { try story.write(writer, number) }
    try writer.close()
    return path(name)
  }

  /// Runs SQL that no recorder would.
  func tamper(_ sql: String, _ name: String = "history.sqlite") throws {
    let connection = try Connection(path: path(name), mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// Makes the checksums of a history's first session anew, as of what it holds now.
  func reseal(_ name: String = "history.sqlite") throws {
    let writer = try HistoryWriter(path: path(name))
    try writer.reseal(session: 1)
    try writer.close()
  }
}

/// What a controller did, written down event by event.
///
/// Each event comes 10 ms after the one before. Its first controller is called "checkout".
struct Story {
  struct Loss {
    let count: Int64
    let reason: String
  }

  private(set) var rows: [EventRow] = []
  private var losses: [(after: Int64, loss: Loss)] = []
  private var controllers: [(name: String, policy: String, fidelity: UInt8)] = []
  private var notes: [Int64: String] = [:]
  private var priorities: [Int64: Int32] = [:]
  private let states: [String]
  private var seq: Int64 = 0
  private var now: Int64 = 0
  var end = SessionEnd.clean
  /// Where its controllers stood at the beginning.
  var snapshot = SnapshotRecord()

  init(
    _ policy: String = "queue", fidelity: Fidelity = .full,
    states: [String] = ["loading", "content", "alert"]
  ) {
    self.states = states
    addController("checkout", policy, fidelity)
  }

  mutating func addController(
    _ name: String, _ policy: String = "queue", _ fidelity: Fidelity = .full
  ) {
    controllers.append((name, policy, fidelity.rawValue))
    add(.attached, on: Int32(controllers.count))
  }

  @discardableResult
  mutating func add(
    _ kind: EventKind, _ visit: UInt32 = 0, _ reason: EventReason? = nil, cause: Int64 = 0,
    on controller: Int32 = 1, priority: Int32 = 0
  ) -> Int64 {
    seq += 1
    if priority != 0 { priorities[seq] = priority }
    now += 10_000
    rows.append(
      EventRow(
        seq: seq, time: now, kind: kind, reason: reason?.code ?? 0, controller: controller,
        visit: visit, state: visit == 0 ? 0 : Int32((Int(visit) - 1) % states.count) + 1,
        cause: cause, site: kind == .enqueued ? 1 : 0))
    return seq
  }

  /// Adds an event as it is in another story, with its number there.
  mutating func add(_ row: EventRow) {
    rows.append(row)
    (seq, now) = (row.seq, row.time)
  }

  /// Adds the app's own note.
  mutating func note(_ text: String) { notes[add(.mark, on: 0)] = text }

  mutating func wait(seconds: Int64) { now += seconds * 1_000_000 }

  mutating func lose(_ count: Int64) {
    losses.append((seq, Loss(count: count, reason: "lane full")))
    seq += count
  }

  func write(_ writer: HistoryWriter, _ number: Int) throws {
    for state in states { _ = try writer.intern(name: state) }
    _ = try writer.intern(site: "Shop/Checkout.swift", line: 40)
    let session = try writer.beginSession(
      SessionOpening(
        uuid: "00000000-0000-0000-0000-00000000000\(number)", app: "Shop", appVersion: "1.2",
        os: "Linux 6.1", pid: 42, wallTime: 1_760_000_000_000_000 + Int64(number) * 60_000_000))
    let first = try writer.sessions().first { $0.id == session }!.firstSeq - 1
    let ids = try controllers.map {
      try writer.addController(
        session: session, name: $0.name, policy: $0.policy,
        discipline: Discipline(ofOurs: $0.policy).rawValue, fidelity: $0.fidelity,
        snapshot: snapshot.text)
    }
    let numbers = try states.map { try writer.intern(name: $0) }
    let moved = rows.map { row in
      var row = row
      row.seq += first
      row.renameCauses { $0 + first }
      row.controller = row.controller == 0 ? 0 : ids[Int(row.controller) - 1]
      row.state = row.state == 0 ? 0 : numbers[Int(row.state) - 1]
      return row
    }
    let details = Set(notes.keys).union(priorities.keys).sorted().map { seq in
      var detail = EventDetail(seq: first + seq)
      detail.note = notes[seq]
      detail.priority = priorities[seq] ?? 0
      return detail
    }
    _ = try moved.withUnsafeBufferPointer { try writer.append($0, details: details, to: session) }
    for (after, loss) in losses {
      try writer.recordLoss(
        first: first + after + 1, last: first + after + loss.count, count: loss.count,
        reason: loss.reason)
    }
    try writer.endSession(session, end)
  }
}

extension Story {
  /// Three states, one after the other, as a queue does it.
  static var clean: Story {
    var story = Story()
    story.play()
    return story
  }

  /// What a queue does with three requests.
  mutating func play() {
    let first = add(.enqueued, 1)
    add(.entering, 1, cause: first)
    let second = add(.enqueued, 2)
    let arrived = add(.entered, 1)
    add(.exiting, 1, cause: arrived)
    let left = add(.exited, 1)
    add(.entering, 2, cause: left)
    add(.entered, 2)
    let third = add(.enqueued, 3)
    add(.exiting, 2, cause: third)
    let out = add(.exited, 2)
    add(.entering, 3, cause: out)
    add(.entered, 3)
    _ = second
  }

  /// A controller that lets the second state in while the first has not left.
  static func overlapping(_ policy: String = "queue") -> Story {
    var story = Story(policy)
    let first = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: first)
    story.add(.entered, 1)
    let second = story.add(.enqueued, 2)
    story.add(.exiting, 1, cause: second)
    story.add(.entering, 2, cause: second)
    story.add(.exited, 1)
    story.add(.entered, 2)
    return story
  }
}

extension Discipline {
  /// The discipline of one of our policies; an app's own controllers are in order.
  init(ofOurs policy: String) {
    switch policy {
    case "priority": self = PriorityPolicy.discipline
    case "immediate": self = ImmediatePolicy.discipline
    default: self = .inOrder
    }
  }
}
