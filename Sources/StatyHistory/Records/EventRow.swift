import Staty

/// What the file says of one event, without what only few events have.
///
/// A plain value without references, so that rows can lie in memory that threads or processes
/// share. A number that stands for "none" is 0 in every field.
package struct EventRow: Equatable, Sendable {
  /// The event's number in the file: larger than that of everything that happened before it.
  package var seq: Int64
  /// Microseconds since the session began.
  package var time: Int64
  /// The number of the event in whose handling this one happened; 0 if there was none.
  ///
  /// An event is not its own cause: its own number reads back as 0.
  package var cause: Int64
  /// Whether observers did it when they were told of the cause; else it happened in the handling of that.
  package var isHeard = false
  /// Which visit of the controller, from 1; 0 if it happened to none.
  package var visit: UInt32
  /// The controller's number in the file.
  package var controller: Int32
  /// The number of the state's name in the file.
  package var state: Int32
  /// The number of the place in the code where it was asked.
  package var site: Int32
  /// What happened, as `EventKind` numbers it.
  package var kind: UInt8
  /// What it says beyond that, as `EventReason` numbers it.
  package var reason: UInt8
  /// Which thread, in the order in which the recorder first saw them; from 63 on all are one.
  package var thread: UInt8

  /// A row with these fields.
  package init(
    seq: Int64, time: Int64, kind: EventKind, reason: UInt8 = 0, thread: UInt8 = 0,
    controller: Int32 = 0, visit: UInt32 = 0, state: Int32 = 0, cause: Int64 = 0, site: Int32 = 0
  ) {
    self.seq = seq
    self.time = time
    self.cause = cause
    self.visit = visit
    self.controller = controller
    self.state = state
    self.site = site
    self.kind = kind.rawValue
    self.reason = reason
    self.thread = thread
  }
}

extension EventRow {
  /// Four small numbers and a bit in one column: kind, reason, hearing, thread and controller.
  ///
  /// Together they need two or three bytes in the file, where four columns would need eight.
  var what: Int64 {
    Int64(marks) | Int64(UInt32(bitPattern: controller)) << 14
  }

  /// Kind, reason, hearing and thread: the part of `what` that means the same in every file.
  var marks: UInt32 {
    UInt32(kind & 15) | UInt32(reason & 7) << 4 | (isHeard ? 128 : 0) | UInt32(min(thread, 63)) << 8
  }

  /// How far back the cause is; 0 if there is none.
  var back: Int64 { cause == 0 ? 0 : seq &- cause }

  /// The row that these columns of the table say; none of its fields is checked.
  init(
    seq: Int64, time: Int64, what: Int64, visit: Int64, state: Int64, back: Int64, site: Int64
  ) {
    self.seq = seq
    self.time = time
    cause = back == 0 ? 0 : seq &- back
    self.visit = UInt32(truncatingIfNeeded: visit)
    controller = Int32(truncatingIfNeeded: what >> 14)
    self.state = Int32(truncatingIfNeeded: state)
    self.site = Int32(truncatingIfNeeded: site)
    kind = UInt8(truncatingIfNeeded: what & 15)
    reason = UInt8(truncatingIfNeeded: what >> 4 & 7)
    isHeard = what >> 7 & 1 != 0
    thread = UInt8(truncatingIfNeeded: what >> 8 & 63)
  }
}
