import Staty
import StatyHistory

/// The next events of a recording's classes; any can be taken while earlier ones wait.
///
/// A class that is run again makes its events at its own time, and the file has events of other
/// threads between them. Events of policies need no waiting: they are told and compared when they
/// are read. The window is bounded, so memory does not grow with the file.
final class RecordingWindow {
  /// An event of a class that was read and not taken yet.
  // A class, because it is passed on often, and copying a value with three references is slow.
  final class Entry {
    let event: RecordedEvent
    let kind: EventKind
    /// The innermost call of a class that it lies in.
    let around: ClassPlace?
    /// Whether it is known that no other thread was in a call of its class.
    let isAlone: Bool
    fileprivate let place: Int

    fileprivate init(
      _ event: RecordedEvent, _ kind: EventKind, _ found: PlaceNesting.Found, at place: Int
    ) {
      (self.event, self.kind, self.place) = (event, kind, place)
      (around, isAlone) = (found.around, found.isAlone)
    }

    var seq: Int64 { event.row.seq }
    var controller: Int32 { event.row.controller }
    var thread: UInt8 { event.row.thread }
  }

  /// The most events that wait.
  static let most = 8_192
  /// How many events ahead it searches for an event's place.
  private static let mostAhead = 256

  let cast: Cast
  // Unchecked: all of these are used by one replay, and no access lasts while an app's code runs.
  @exclusivity(unchecked) private var events: RecordedEvents
  @exclusivity(unchecked) private var policies: PolicyReplay
  @exclusivity(unchecked) private(set) var nesting: PlaceNesting
  /// Places are never reused: an event lies at the remainder of its place.
  @exclusivity(unchecked) private var entries: [Entry?] = Array(repeating: nil, count: most)
  @exclusivity(unchecked) private var first = 0
  @exclusivity(unchecked) private var end = 0
  /// Before these places, no event of a thread waits.
  @exclusivity(unchecked) private var ofThreads = Array(
    repeating: 0, count: PlaceNesting.threads + 1)
  /// The error that stopped the reading.
  private(set) var failure: HistoryError? { didSet { hasFailed = true } }
  // Asked for each event: the error is large.
  @exclusivity(unchecked) private var hasFailed = false

  init(
    _ events: RecordedEvents, _ cast: Cast, telling policies: PolicyReplay
  ) {
    (self.events, self.cast, self.policies) = (events, cast, policies)
    nesting = cast.nesting
  }

  /// Stops reading.
  func letGo() { events.letGo() }

  /// The next event that was not taken.
  func next() -> Entry? {
    var place = first
    defer { first = max(first, place) }
    return find(from: &place) { _ in true }
  }

  /// The next event of a controller that was not taken.
  ///
  /// - Parameter place: where the last search for it ended; 0 at first.
  func next(of controller: Int32, from place: inout Int) -> Entry? {
    find(from: &place) { $0.controller == controller }
  }

  /// The next event of a thread that was not taken.
  func next(onThread thread: UInt8) -> Entry? {
    find(from: &ofThreads[Int(thread)]) { $0.thread == thread }
  }

  /// The waiting events some way ahead that are wanted.
  func ahead(where isWanted: (Entry) -> Bool) -> [Entry] {
    lookAhead()
    var found: [Entry] = []
    for place in first..<end where found.count < Self.mostAhead {
      if let entry = entries[place & (Self.most - 1)], isWanted(entry) { found.append(entry) }
    }
    return found
  }

  func lookAhead() {
    while end - first < Self.mostAhead, read() {}
  }

  /// Takes an event out of the window.
  func take(_ entry: Entry) {
    let slot = entry.place & (Self.most - 1)
    if entries[slot] === entry { entries[slot] = nil }
  }

  /// Whether events are missing next.
  var isAtLoss: Bool { events.hasLoss }

  /// Whether the recording ends, or cannot be read any further.
  var isAtEnd: Bool { events.next == nil || hasFailed }

  /// Goes on behind the next loss, once everything before it was taken; `false` if there is none.
  func passLoss() -> Bool {
    guard let loss = events.takeLoss() else { return false }
    nesting.forget(through: loss.lastSeq)
    return true
  }

  /// Leaves out an input that cannot be told.
  func leaveOut(_ entry: Entry) { nesting.leaveOut(entry.seq) }

  /// Ends the replay of the policies.
  func finish(_ session: SessionRecord, isWhole: Bool) {
    for id in cast.parts.keys.sorted() where cast.plays(id) {
      if let loss = events.loss(of: id, isWhole: isWhole) { policies.stop(id, at: loss) }
    }
    policies.finish(session, isWhole: isWhole, nesting)
  }
}

extension RecordingWindow {
  /// The first waiting event from a place on that is wanted; the place moves to it.
  private func find(from place: inout Int, where isWanted: (Entry) -> Bool) -> Entry? {
    place = max(place, first)
    repeat {
      while place < end {
        if let entry = entries[place & (Self.most - 1)], isWanted(entry) { return entry }
        place += 1
      }
    } while read()
    return nil
  }

  /// Reads one more event, unless the window is full or a loss is next.
  private func read() -> Bool {
    while first < end, entries[first & (Self.most - 1)] == nil { first += 1 }
    guard end - first < Self.most, !hasFailed, !events.hasLoss, let event = events.next else {
      return false
    }
    let found = nesting.take(event.row)
    let isDone = policies.take(event, behind: events.missed, found, &nesting, cast)
    if !isDone, let kind = event.kind {
      entries[end & (Self.most - 1)] = Entry(event, kind, found, at: end)
      end += 1
    }
    do throws(HistoryError) { try events.advance() } catch { failure = error }
    return true
  }
}
