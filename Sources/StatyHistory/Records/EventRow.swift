package import Staty

/// The row of one event, without its rare parts.
///
/// It is a plain value without references, so that rows can lie in memory that threads or processes
/// share. A number that stands for "none" is 0 in every field.
package struct EventRow: Equatable, Sendable {
  /// The event's number in the file: larger than the numbers of all earlier events.
  package var seq: Int64
  /// Microseconds since the session began.
  package var time: Int64
  /// The number of the event of the innermost place on its thread; 0 at the root.
  ///
  /// No event lies inside itself: its own number reads back as 0.
  package var inside: Int64
  /// Which call of that event the place is.
  package var part = EventPlace.Part.handled
  /// The number of the event that caused this one, if that is not the event of the place; otherwise
  /// 0.
  ///
  /// A request has none: the file has its place in the code instead.
  package var ownCause: Int64 = 0
  /// The visit of the controller, from 1; 0 if there is none.
  package var visit: UInt32
  /// The controller's number in the file.
  package var controller: Int32
  /// The number of the state's name in the file.
  package var state: Int32
  /// The number of the place in the code that made the request.
  package var site: Int32
  /// What happened, as `EventKind` numbers it.
  package var kind: UInt8
  /// The reason, as `EventReason` numbers it.
  package var reason: UInt8
  /// The thread, numbered as the recorder first saw it; from 63 on, all share a number.
  package var thread: UInt8

  /// A row with these fields.
  ///
  /// - Parameter cause: the event that was being handled; 0 if there is none.
  package init(
    seq: Int64, time: Int64, kind: EventKind, reason: UInt8 = 0, thread: UInt8 = 0,
    controller: Int32 = 0, visit: UInt32 = 0, state: Int32 = 0, cause: Int64 = 0, site: Int32 = 0
  ) {
    self.seq = seq
    self.time = time
    inside = cause
    self.visit = visit
    self.controller = controller
    self.state = state
    self.site = site
    self.kind = kind.rawValue
    self.reason = reason
    // As it is stored.
    self.thread = min(thread, 63)
  }
}

extension EventRow {
  /// The number of the event that caused this one: its own cause, or else the event of the place; 0
  /// if there is none.
  package var cause: Int64 { ownCause != 0 ? ownCause : inside }

  /// Whether observers made it when they were told of the cause.
  package var isHeard: Bool {
    part == .observed && inside != 0 && ownCause == 0
      && EventKind(rawValue: kind)?.side == .input
  }

  /// Sets its place and its cause, by the numbers of events.
  package mutating func set(_ part: EventPlace.Part, of inside: Int64, cause: Int64 = 0) {
    self.inside = inside
    self.part = inside == 0 ? .handled : part
    ownCause = cause == inside || isRequest ? 0 : cause
  }

  /// Sets the place and the cause of a live event, with its numbers in the file.
  package mutating func set(
    _ event: borrowing TransitionEvent, numbered number: (UInt64) -> Int64
  ) {
    let inside = event.inside.event
    set(
      event.inside.part, of: inside == 0 ? 0 : number(inside),
      cause: event.ownCause == 0 ? 0 : number(event.ownCause))
  }

  /// Replaces the numbers of the events that it names; 0 stands for none.
  package mutating func renameCauses(_ number: (Int64) -> Int64) {
    let numbers = [inside, ownCause].map { $0 == 0 ? 0 : number($0) }
    set(part, of: numbers[0], cause: numbers[1])
  }

  private var isRequest: Bool { kind == EventKind.enqueued.rawValue }

  /// Four small numbers in one column: kind, reason, thread and controller.
  ///
  /// Together they need two or three bytes in the file, where four columns would need eight.
  package var what: Int64 {
    Int64(marks) | Int64(UInt32(bitPattern: controller)) << 14
  }

  /// Kind, reason and thread: the part of `what` that means the same in every file.
  package var marks: UInt32 {
    UInt32(kind & 31) | UInt32(reason & 7) << 5 | UInt32(min(thread, 63)) << 8
  }

  /// The distance to the event of the place, above the two bits of the part; 0 at the root.
  package var place: Int64 { inside == 0 ? 0 : (seq &- inside) << 2 | Int64(part.rawValue) }

  /// For a request the number of the place in the code, otherwise the distance to its own cause; 0
  /// if there is none.
  package var reference: Int64 { isRequest ? Int64(site) : causeDistance }

  /// The distance to its own cause, if it can have one; 0 if there is none.
  package var causeDistance: Int64 { isRequest || ownCause == 0 ? 0 : seq &- ownCause }

  /// The row in these columns of the table; none of its fields is checked.
  package init(
    seq: Int64, time: Int64, what: Int64, visit: Int64, state: Int64, place: Int64,
    reference: Int64
  ) {
    self.seq = seq
    self.time = time
    kind = UInt8(truncatingIfNeeded: what & 31)
    reason = UInt8(truncatingIfNeeded: what >> 5 & 7)
    thread = UInt8(truncatingIfNeeded: what >> 8 & 63)
    inside = place >> 2 == 0 ? 0 : seq &- (place >> 2)
    part = inside == 0 ? .handled : EventPlace.Part(rawValue: UInt8(place & 3))!
    let isRequest = kind == EventKind.enqueued.rawValue
    site = isRequest ? Int32(truncatingIfNeeded: reference) : 0
    ownCause = isRequest || reference == 0 ? 0 : seq &- reference
    self.visit = UInt32(truncatingIfNeeded: visit)
    controller = Int32(truncatingIfNeeded: what >> 14)
    self.state = Int32(truncatingIfNeeded: state)
  }
}
