import CStatyRing
import Staty
import Synchronization

/// The state that a recorder's controllers and its writer share.
final class RecorderCore: Sendable {
  let ring: FlightRing
  /// Numbers all of the recorder's events.
  ///
  /// The last number is in the ring's file.
  let numbering: Numbering
  let options: RecorderOptions
  let clock: RecorderClock
  let hash = KeyedHash()

  private let numbers = Mutex(Numbers())
  private let refused = Atomic<UInt64>(0)
  /// Changes with each loss.
  let lossMark = Atomic<UInt32>(0)
  private let damaged = Mutex<String?>(nil)
  let stored = Atomic<UInt64>(0)
  /// How many of the stored events are lost nevertheless, because they are not in the file at the path.
  let gone = Atomic<UInt64>(0)

  private struct Numbers {
    /// Until a site is noted, each thread that needs it writes the note, because the first thread may be late
    /// or fail.
    var sites: [RequestSite: (number: UInt32, isNoted: Bool)] = [:]
    var controllers: UInt32 = 0
  }

  init(ring: FlightRing, options: RecorderOptions, clock: RecorderClock = RecorderClock()) {
    self.ring = ring
    self.clock = clock
    self.options = options
    MessageText.allow(bytes: options.mostPayloadBytes)
    numbering = Numbering(counter: ring.drawnCounter, owner: ring)
  }

  /// The new path of a damaged history; `nil` if the history was not damaged.
  var damagedHistory: String? {
    get { damaged.withLock { $0 } }
    set { damaged.withLock { $0 = newValue } }
  }

  /// The number of the next controller, from 1; 0 if the ring is dead.
  func nextController() -> UInt32 {
    // In a forked child, a thread that does not exist there may hold the lock forever.
    if ring.isDead { return 0 }
    return numbers.withLock { numbers in
      numbers.controllers += 1
      return numbers.controllers
    }
  }

  /// The number of a call site, from 1; 0 if it could not be noted.
  func number(of site: RequestSite) -> UInt32 {
    if ring.isDead { return 0 }
    let (number, isNoted) = numbers.withLock { numbers in
      if let known = numbers.sites[site] { return known }
      let new = (number: UInt32(numbers.sites.count + 1), isNoted: false)
      numbers.sites[site] = new
      return new
    }
    if !isNoted {
      guard note(.site(number: number, file: site.file.description.cutAsName, line: site.line))
      else {
        return 0
      }
      numbers.withLock { $0.sites[site]?.isNoted = true }
    }
    return number
  }

  func note(_ note: Note) -> Bool {
    ring.note(note.bytes, kind: note.kind.rawValue, id: note.id)
  }

  /// Puts the record into the ring, or counts its event as lost.
  @inline(__always)
  func put(_ record: @autoclosure () -> staty_record) {
    // If there is no room, the ring counts the event.
    switch ring.put(record()) {
    case .stored: break
    case .dead: drop()
    case .full, .noLane: lossMark.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Counts events that came after the recorder was closed or detached from their controller.
  func drop() {
    refused.wrappingAdd(1, ordering: .relaxed)
  }

  /// Counts an event that is lost because a note that it needs failed.
  func dropUnnoted() {
    if ring.isDead { return drop() }
    ring.countUnnoted()
    lossMark.wrappingAdd(1, ordering: .relaxed)
  }

  /// Events that were not put into the ring, or were damaged in it.
  var losses: LossCounts {
    var losses = LossCounts(ring.counters)
    losses.closed = refused.load(ordering: .relaxed)
    return losses
  }

  var statistics: RecorderStatistics {
    // An event is first queued, then stored, and perhaps gone later. The counters are read in the opposite
    // order, so that no event is counted twice.
    let gone = gone.load(ordering: .acquiring)
    let stored = stored.load(ordering: .acquiring)
    let queued = ring.queued
    let counters = ring.counters
    let lost = LossCounts(counters).total &+ refused.load(ordering: .relaxed)
    return RecorderStatistics(
      observed: numbering.last, stored: stored - gone, lost: lost &+ gone, queued: queued,
      payloadsLeftOut: counters.payloadsLeftOut)
  }
}

extension RecorderCore {
  /// Records a mark with the app's text.
  func mark(_ text: String) {
    var record = staty_record()
    record.number = numbering.next()
    let place = RingPlace(of: record.number, inside: numbering.place)
    record.inside = place.distance
    record.flags = place.flags
    record.time = EventSource.clock
    record.kind = TransitionEvent.Kind.mark.rawValue
    let text = text.cut(toBytes: options.mostPayloadBytes)
    guard note(.mark(event: record.number, text: text)) else { return dropUnnoted() }
    record.flags |= UInt16(STATY_RECORD_HAS_DETAILS)
    put(record)
  }
}
