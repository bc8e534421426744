import Staty
package import StatyHistory

/// The causes and consequences of a finding, which are read from the file on demand.
package struct FindingContext: Equatable, Sendable {
  /// The event that breaks the rule.
  package let guilty: EventRow
  /// The chain of causes, nearest first.
  package let causes: [EventRow]
  /// Direct and indirect consequences, among the events that were read.
  package let consequences: [EventRow]
  /// The next events of the same controller.
  package let followers: [EventRow]
  /// If another visit entered instead: its request, if that came later, and how it was let in.
  package let instead: [EventRow]
  /// If an answer is late: the other message, and its answer.
  package private(set) var newer: [EventRow] = []
  /// Whether that message came after the question of the late answer.
  package private(set) var isNewer = true
  /// If an element was pushed twice: what led to the first push, and that push.
  package private(set) var below: [EventRow] = []
  /// If two tracks differ: the last moves of both.
  package private(set) var both: [EventRow] = []
}

extension Finding {
  /// The visit that entered instead of this one.
  fileprivate var visitInstead: UInt32? {
    guard code == .neverEntered else { return nil }
    switch NeverEntered.Sentence(rawValue: facts.sentence) {
    case .overtaken, .passedOver: return facts.other
    default: return nil
    }
  }
}

extension FindingContext {
  private static let mostCauses = 64
  private static let mostLookedAt = 10_000

  /// Reads the context of a finding; `nil` if the file does not contain its event.
  ///
  /// - Parameters:
  ///   - finding: the finding.
  ///   - reader: the reader of the file.
  ///   - most: the highest number of next events, and of consequences.
  package init?(_ finding: Finding, in reader: HistoryReader, followers most: Int = 8) throws {
    let session = finding.session
    guard let guilty = try reader.event(finding.seq, session: session) else { return nil }
    try self.init(guilty, finding, followers: most) {
      let events = try reader.events(session: session, from: $0 &+ 1)
      return { try events.next() }
    } event: {
      try reader.event($0, session: session)
    }
  }

  /// Finds the context of a finding in a list of events; `nil` if the list does not contain its
  /// event.
  ///
  /// - Parameters:
  ///   - finding: the finding.
  ///   - rows: the events, in the order of their numbers.
  ///   - most: the highest number of next events, and of consequences.
  package init?(_ finding: Finding, among rows: [EventRow], followers most: Int = 8) {
    /// The place of the first event from a number on.
    func start(_ seq: Int64) -> Int {
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if rows[middle].seq < seq { low = middle + 1 } else { high = middle }
      }
      return low
    }
    func place(_ seq: Int64) -> Int? {
      let place = start(seq)
      return place < rows.count && rows[place].seq == seq ? place : nil
    }
    guard let guilty = place(finding.seq) else { return nil }
    // Nothing in it throws, because the list is in memory.
    try? self.init(rows[guilty], finding, followers: most) { seq in
      var next = start(seq &+ 1)
      return {
        defer { next += 1 }
        return next < rows.count ? rows[next] : nil
      }
    } event: { seq -> EventRow? in
      place(seq).map { rows[$0] }
    }
  }

  /// The push of the element that is directly below.
  private static func push(
    below guilty: EventRow, _ finding: Finding, _ after: (Int64) throws -> () throws -> EventRow?
  ) throws -> EventRow? {
    let next = try after(max(0, guilty.seq &- Int64(mostLookedAt)))
    while let row = try next(), row.seq < guilty.seq {
      let isOfIt = row.controller == guilty.controller && row.visit == finding.otherVisit
      if isOfIt, row.kind == guilty.kind { return row }
    }
    return nil
  }

  private static let mostMoves = 8

  /// The last moves of two tracks that differ, up to the finding.
  private static func moves(
    _ guilty: EventRow, _ finding: Finding, after: (Int64) throws -> () throws -> EventRow?,
    event: (Int64) throws -> EventRow?
  ) throws -> [EventRow] {
    let other = try event(finding.facts.time)
    let tracks = [guilty.controller, other?.controller]
    let next = try after(max(0, guilty.seq &- Int64(mostLookedAt)))
    var moves: [EventRow] = []
    while let row = try next(), row.seq <= guilty.seq {
      if row.kind == EventKind.moved.rawValue, tracks.contains(row.controller) { moves.append(row) }
    }
    let last = moves.suffix(mostMoves)
    return (last.contains { $0.seq == other?.seq } ? [] : [other].compactMap(\.self)) + last
  }

  /// - Parameters:
  ///   - after: gives the events behind one, one after the other.
  ///   - event: gives the event with a number.
  private init(
    _ guilty: EventRow, _ finding: Finding, followers most: Int,
    after: (Int64) throws -> () throws -> EventRow?, event: (Int64) throws -> EventRow?
  ) throws {
    let other = finding.visitInstead
    let next = try after(guilty.seq)
    self.guilty = guilty
    causes = try guilty.causes(most: Self.mostCauses, event)
    var consequences: [EventRow] = []
    var followers: [EventRow] = []
    var instead: [EventRow] = []
    var because: Set<Int64> = [guilty.seq]
    var isLetIn = other == nil
    for _ in 0..<Self.mostLookedAt where followers.count < most || !isLetIn {
      guard let row = try next() else { break }
      if !isLetIn, row.controller == guilty.controller, row.visit == other {
        isLetIn = row.kind == EventKind.entering.rawValue || row.kind == EventKind.entered.rawValue
        if isLetIn, row.cause > guilty.seq, instead.last?.seq != row.cause {
          instead += try [event(row.cause)].compactMap(\.self)
        }
        if isLetIn || row.kind == EventKind.enqueued.rawValue { instead.append(row) }
      }
      if followers.count >= most { continue }
      if because.contains(row.cause) {
        because.insert(row.seq)
        if consequences.count < most { consequences.append(row) }
      }
      if row.controller == guilty.controller { followers.append(row) }
    }
    self.consequences = consequences
    self.followers = followers
    self.instead = instead
    if finding.code == .mirror {
      both = try Self.moves(guilty, finding, after: after, event: event)
    }
    if finding.code == .doublePush, let push = try Self.push(below: guilty, finding, after) {
      below = try push.causes(most: Self.mostCauses, event).reversed() + [push]
    }
    guard finding.code == .lateAnswer, let message = try event(finding.facts.newer) else { return }
    newer = [message]
    isNewer = message.seq > finding.facts.time
    let later = try after(message.seq)
    for _ in 0..<Self.mostLookedAt {
      guard let row = try later(), row.seq < guilty.seq else { break }
      guard row.ownCause == message.seq, row.controller == guilty.controller else { continue }
      if row.kind == EventKind.received.rawValue {
        newer = [message, row]
        break
      }
      // The last change that it caused later is the answer.
      if row.kind == EventKind.moved.rawValue, row.inside == 0 { newer = [message, row] }
    }
  }
}
