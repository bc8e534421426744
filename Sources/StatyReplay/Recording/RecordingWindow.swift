import Staty
import StatyHistory

/// The next events of a recording's classes; any can be taken while earlier ones wait.
///
/// A class that is run again makes its events at its own time, and the file has events of other
/// threads between them. Events of policies need no waiting: they are told and compared when they
/// are read. The window is bounded, so memory does not grow with the file.
final class RecordingWindow {
  /// An event of a class that was read and not taken yet.
  struct Entry {
    let event: RecordedEvent
    let kind: EventKind
    /// The innermost call of a class that it lies in.
    let around: ClassPlace?
    fileprivate let place: Int
    fileprivate var isTaken = false

    var seq: Int64 { event.row.seq }
    var controller: Int32 { event.row.controller }
    var thread: UInt8 { event.row.thread }
  }

  /// Why there is no further event.
  enum Horizon {
    /// The window is full, and the wanted event is not in it.
    case full
    /// Events are missing next.
    case gap
    /// The recording ends.
    case end
  }

  /// The most events that wait.
  static let most = 8_192
  /// How many events ahead it searches for an event's place.
  private static let mostAhead = 256

  // Unchecked: all of these are used by one replay, and no access lasts while an app's code runs.
  @exclusivity(unchecked) private var events: RecordedEvents
  /// The replay of the policies.
  @exclusivity(unchecked) var policies: PolicyReplay
  @exclusivity(unchecked) private(set) var nesting: PlaceNesting
  @exclusivity(unchecked) private(set) var cast: Cast
  @exclusivity(unchecked) private var entries: [Entry?] = Array(repeating: nil, count: most)
  /// Places are never reused: an entry lies at the remainder of its place.
  @exclusivity(unchecked) private var first = 0
  @exclusivity(unchecked) private var end = 0
  @exclusivity(unchecked) private var ofControllers: [Int32: Places] = [:]
  @exclusivity(unchecked) private var ofThreads = Array(
    repeating: Places(), count: PlaceNesting.threads + 1)
  /// The error that stopped the reading.
  private(set) var failure: HistoryError?

  init(
    _ events: RecordedEvents, _ cast: Cast, _ names: RecordedNames, _ session: SessionRecord
  ) {
    self.events = events
    self.cast = cast
    nesting = cast.nesting
    policies = PolicyReplay(session, names: names)
  }

  /// Stops reading.
  func letGo() { events.letGo() }

  /// The next event that was not taken.
  func next() -> Entry? {
    repeat {
      while first < end {
        if let entry = entry(at: first) { return entry }
        drop()
      }
    } while read()
    return nil
  }

  /// The next event of a controller that was not taken.
  func next(of controller: Int32) -> Entry? {
    repeat {
      while let place = ofControllers[controller]?.first {
        if let entry = entry(at: place) { return entry }
        ofControllers[controller]?.removeFirst()
      }
    } while read()
    return nil
  }

  /// The next event of a thread that was not taken.
  func next(onThread thread: UInt8) -> Entry? {
    repeat {
      while let place = ofThreads[Int(thread)].first {
        if let entry = entry(at: place) { return entry }
        ofThreads[Int(thread)].removeFirst()
      }
    } while read()
    return nil
  }

  /// The waiting events of a thread, some way ahead.
  func ahead(onThread thread: UInt8) -> [Entry] {
    lookAhead()
    return ofThreads[Int(thread)].rest.prefix(Self.mostAhead).compactMap(entry)
  }

  /// The waiting events of a controller, some way ahead.
  func ahead(of controller: Int32) -> [Entry] {
    lookAhead()
    return ofControllers[controller]?.rest.prefix(Self.mostAhead).compactMap(entry) ?? []
  }

  func lookAhead() {
    while end - first < Self.mostAhead, read() {}
  }

  /// Takes an event out of the window.
  func take(_ entry: Entry) {
    entries[entry.place & (Self.most - 1)]?.isTaken = true
  }

  /// Why the last search found nothing.
  var horizon: Horizon {
    if events.hasLoss { return .gap }
    return events.next == nil || failure != nil ? .end : .full
  }

  /// Takes the next loss, once everything before it was taken.
  func takeLoss() -> LossRecord? {
    guard let loss = events.takeLoss() else { return nil }
    nesting.forget(through: loss.lastSeq)
    policies.stopAt(loss)
    return loss
  }

  /// Leaves out an input that cannot be told.
  func leaveOut(_ entry: Entry) {
    nesting.leaveOut(entry.seq)
    policies.result.add(unreached: entry.seq)
  }

  /// Notes a skipped event of a controller that may not be attached.
  func noteUnbegun(_ id: Int32) {
    if policies.hasLost { cast.noteUnbegun(id, &policies) }
  }
}

extension RecordingWindow {
  /// The entry at a place, unless it was taken.
  private func entry(at place: Int) -> Entry? {
    guard place >= first, place < end, let entry = entries[place & (Self.most - 1)],
      !entry.isTaken
    else { return nil }
    return entry
  }

  private func drop() {
    entries[first & (Self.most - 1)] = nil
    first += 1
  }

  /// Reads one more event, unless the window is full or a loss is next.
  private func read() -> Bool {
    while first < end, entry(at: first) == nil { drop() }
    guard end - first < Self.most, failure == nil, !events.hasLoss, let event = events.next else {
      return false
    }
    let found = nesting.take(event.row)
    if !policies.take(event, found, &nesting, &cast), let kind = event.kind {
      entries[end & (Self.most - 1)] = Entry(
        event: event, kind: kind, around: found.around, place: end)
      ofControllers[event.row.controller, default: Places()].append(end)
      ofThreads[Int(event.row.thread)].append(end)
      end += 1
    }
    do throws(HistoryError) { try events.advance() } catch { failure = error }
    return true
  }
}

/// The places of the events of one controller or thread, in order.
private struct Places {
  private var all: [Int] = []
  private var head = 0

  var first: Int? { head < all.count ? all[head] : nil }
  var rest: ArraySlice<Int> { all[head...] }

  mutating func append(_ place: Int) { all.append(place) }

  mutating func removeFirst() {
    head += 1
    guard head == all.count || head > 1_024 else { return }
    all.removeFirst(head)
    head = 0
  }
}
