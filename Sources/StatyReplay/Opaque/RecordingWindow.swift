import Staty
import StatyHistory

/// The next events of a recording, of which any can be taken out while earlier ones wait.
///
/// A controller that is run again makes its events in its own time: those of other controllers and
/// other threads stand in between in the file. The window is bounded, so memory does not grow with
/// the file.
struct RecordingWindow {
  /// One event that was read and not taken yet.
  struct Entry {
    let event: RecordedEvent
    /// The nearest event of an opaque controller in whose call it happened.
    let caller: Ancestry.Parent
    /// Whether it happened in something of its own controller's; `nil` if that is not known.
    let isInHand: Bool?
    /// Whether no run can have made it where it is recorded.
    let isMisplaced: Bool
    fileprivate let place: Int
    fileprivate(set) var isTaken = false

    var seq: Int64 { event.row.seq }
    var controller: Int32 { event.row.controller }
    /// The number of the event in whose call it happened; 0 if in none.
    var parent: Int64 { caller.seq }
    /// Whether it happened when observers were told of that.
    var isHeard: Bool { caller.isHeard }
    var isInput: Bool { event.kind?.side == .input && event.kind != .resumed }
  }

  /// Why there is no further event of somebody.
  enum Horizon {
    /// The recording goes on, but for so long without one that there is none where one was wanted.
    case full
    /// Events are missing next.
    case gap
    /// The recording ends.
    case end
  }

  /// At most so many events wait.
  static let most = 8_192
  /// So far ahead it is looked for what tells where something belongs.
  private static let mostAhead = 256

  private var events: RecordedEvents
  private var entries: [Entry?] = Array(repeating: nil, count: most)
  /// Places count on and on; an entry lies at its place's remainder.
  private var first = 0
  private var end = 0
  private var ofControllers: [Int32: Places] = [:]
  private var ofThreads: [UInt8: Places] = [:]
  private var ancestry: Ancestry
  private var calls: CallStacks
  private let cast: Cast
  /// What stopped the reading.
  private(set) var failure: HistoryError?

  init(_ events: RecordedEvents, _ cast: Cast) {
    self.events = events
    ancestry = Ancestry(opaque: cast.opaque)
    calls = cast.calls
    self.cast = cast
  }

  /// Reads no further.
  func letGo() { events.letGo() }

  /// The next event that was not taken.
  mutating func next() -> Entry? {
    while first < end {
      if let entry = entry(at: first), !entry.isTaken { return entry }
      entries[first & (Self.most - 1)] = nil
      first += 1
    }
    return read() ? entry(at: first) : nil
  }

  /// The next event of a controller that was not taken.
  mutating func next(of controller: Int32) -> Entry? {
    while true {
      if let entry = ofControllers[controller].flatMap(head) { return entry }
      if !read() { return nil }
    }
  }

  /// The next event of a thread that was not taken.
  mutating func next(onThread thread: UInt8) -> Entry? {
    while true {
      if let entry = ofThreads[thread].flatMap(head) { return entry }
      if !read() { return nil }
    }
  }

  /// Whether something such happens after another event on its thread, some way ahead and before
  /// anything comes from outside of everything.
  mutating func goesOn(after entry: Entry, with isSuch: (Entry) -> Bool) -> Bool {
    while end - first < Self.mostAhead, read() {}
    guard let places = ofThreads[entry.event.row.thread] else { return false }
    for place in places.rest.prefix(Self.mostAhead) {
      guard let next = self.entry(at: place), !next.isTaken, next.seq > entry.seq,
        next.event.kind != .resumed
      else { continue }
      if next.event.row.isOutermost { return false }
      if isSuch(next) { return true }
    }
    return false
  }

  /// The waiting events of a controller, in order, as far as they are read.
  func waiting(of controller: Int32) -> [Entry] {
    guard let places = ofControllers[controller] else { return [] }
    return places.rest.compactMap { entry(at: $0) }.filter { !$0.isTaken }
  }

  /// The first event of a thread after this number that came from outside of everything and was not
  /// taken, as far as they are read.
  func outermost(after seq: Int64, onThread thread: UInt8) -> Entry? {
    ofThreads[thread]?.rest.lazy.compactMap { entry(at: $0) }.first {
      !$0.isTaken && $0.seq > seq && $0.event.row.isOutermost
    }
  }

  /// Takes an event out.
  mutating func take(_ entry: Entry) {
    guard self.entry(at: entry.place)?.seq == entry.seq else { return }
    entries[entry.place & (Self.most - 1)]?.isTaken = true
  }

  /// Why the last look found nothing.
  var horizon: Horizon {
    if events.hasLoss { return .gap }
    return events.next == nil || failure != nil ? .end : .full
  }

  /// Takes the gap that comes next, once everything before it was taken.
  mutating func takeLoss() -> LossRecord? { events.takeLoss() }

  /// Lets go of the file.
  mutating func stop() {
    first = end
    ofControllers = [:]
    ofThreads = [:]
  }
}

extension RecordingWindow {
  private func entry(at place: Int) -> Entry? {
    place >= first && place < end ? entries[place & (Self.most - 1)] : nil
  }

  private func head(_ places: Places) -> Entry? {
    while let place = places.first {
      if let entry = entry(at: place), !entry.isTaken { return entry }
      places.removeFirst()
    }
    return nil
  }

  /// Reads one more event, unless the window is full or something is missing next.
  private mutating func read() -> Bool {
    while first < end, entry(at: first)?.isTaken != false {
      entries[first & (Self.most - 1)] = nil
      first += 1
    }
    guard end - first < Self.most, failure == nil, !events.hasLoss, let event = events.next else {
      return false
    }
    let place = calls.take(event.row)
    entries[end & (Self.most - 1)] = Entry(
      event: event, caller: ancestry.parent(of: event.row, place), isInHand: place.isInHand,
      isMisplaced: place.isMisplaced && cast.plays(event.row.controller), place: end)
    append(end, &ofControllers, event.row.controller)
    append(end, &ofThreads, event.row.thread)
    end += 1
    do throws(HistoryError) { try events.advance() } catch { failure = error }
    return true
  }

  private func append<Key: Hashable>(_ place: Int, _ lists: inout [Key: Places], _ key: Key) {
    if lists[key] == nil { lists[key] = Places() }
    lists[key]?.append(place)
  }
}

/// Where the events of one controller or thread lie, in order.
private final class Places {
  private var all: [Int] = []
  private var head = 0

  var first: Int? { head < all.count ? all[head] : nil }
  var rest: ArraySlice<Int> { all[head...] }

  func append(_ place: Int) { all.append(place) }

  func removeFirst() {
    head += 1
    guard head == all.count || head > 1_024 else { return }
    all.removeFirst(head)
    head = 0
  }
}
