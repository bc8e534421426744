import Staty
import StatyHistory

/// The recording of a session, read once: everything that controllers were told, and when.
struct RecordedSide {
  private(set) var writer: ScriptWriter
  private(set) var doubts: [ReplayDoubt] = []
  private(set) var count = 0
  private(set) var lastTime: Int64 = 0
  private var time = Int64.min
  /// The places from which on the inputs of a controller are not known.
  private(set) var gaps: [Int32: Gap] = [:]
  /// The time of the last event before each loss, by the loss's first number.
  private var lossTimes: [Int64: Int64] = [:]
  private let cast: Cast

  /// The place up to which everything is known of a controller.
  struct Gap {
    /// The first number that may be missing.
    let seq: Int64
    /// The time of the last event before it.
    let time: Int64
  }

  init(_ session: Int64, _ cast: Cast, _ names: [Int32: String], _ edits: [Edit]) {
    self.cast = cast
    writer = ScriptWriter(session, cast, RecordedNames(names), edits)
    for part in cast.parts.values.sorted(by: { $0.record.id < $1.record.id })
    where part.entry == nil {
      doubts.append(.unknownController(controller: part.record.id, kind: part.name))
    }
  }

  /// Reads all events, of each controller up to the first loss that may affect it: its later inputs
  /// are not known.
  ///
  /// - Parameters:
  ///   - isWhole: whether these are all events of the session.
  ///   - most: how many are read at most.
  mutating func read(_ events: RecordedEvents, isWhole: Bool, _ most: Int) throws {
    var events = events
    while let event = events.next {
      while let loss = events.takeLoss() { lossTimes[loss.firstSeq] = lastTime }
      count += 1
      if count > most { return stopAll(at: event.row.seq) }
      if let loss = events.missed { stop(event.row.controller, at: loss.firstSeq) }
      try writer.take(inOrder(event))
      lastTime = event.row.time
      try events.advance()
    }
    while let loss = events.takeLoss() { lossTimes[loss.firstSeq] = lastTime }
    for id in cast.parts.keys.sorted() {
      if let loss = events.loss(of: id, isWhole: isWhole) { stop(id, at: loss.firstSeq) }
    }
    try writer.finish(knownBefore: gaps.values.map(\.seq).min() ?? .max)
  }

  /// Reads on after the played events, for the answers of states to earlier calls: an answer
  /// belongs to its call, however late it is.
  mutating func goOn(_ events: RecordedEvents) throws {
    var events = events
    for _ in 0..<Self.mostLater {
      if events.takeLoss() != nil { break }
      guard let event = events.next else { return }
      try writer.goOn(inOrder(event))
      try events.advance()
    }
    writer.leaveOpen()
  }

  /// After so many more events, open calls count as never answered.
  private static let mostLater = 100_000

  /// The event with a time that does not step back: the numbers are the order.
  private mutating func inOrder(_ event: RecordedEvent) -> RecordedEvent {
    var row = event.row
    if event.kind != .attached {
      time = max(time, row.time)
      row.time = time
    }
    return RecordedEvent(row: row, detail: event.detail)
  }

  private mutating func stop(_ id: Int32, at seq: Int64) {
    guard cast.plays(id), gaps[id] == nil else { return }
    gaps[id] = Gap(seq: seq, time: lossTimes[seq] ?? lastTime)
    writer.lose(id)
    doubts.append(.gap(controller: id, seq: seq))
  }

  private mutating func stopAll(at seq: Int64) {
    for id in cast.parts.keys.sorted() where !writer.left.contains(id) { stop(id, at: seq) }
  }
}
