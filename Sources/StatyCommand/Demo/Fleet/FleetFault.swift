import Staty
import StatyHistory
import StatySpecimens

/// A fault that a single device has: a scene at a specimen, and the findings that it amounts to.
///
/// The findings are written down here by hand and not asked of the rules, so that one can be held
/// against the other.
struct FleetFault {
  /// Where a finding stands: a rule's code, and the event by its kind and visit.
  struct Mark {
    let code: String
    let kind: EventKind
    let visit: UInt32

    init(_ code: String, _ kind: EventKind, _ visit: UInt32) {
      (self.code, self.kind, self.visit) = (code, kind, visit)
    }
  }

  let scenario: String
  let marks: [Mark]

  init(_ scenario: String, _ marks: Mark...) { (self.scenario, self.marks) = (scenario, marks) }

  /// By the numbers of the devices.
  static let ofDevices: [Int: FleetFault] = [
    7: FleetFault(
      "closed-alert", Mark("never-entered", .enqueued, 2), Mark("double-exit", .exiting, 1),
      Mark("never-entered", .enqueued, 3), Mark("exit-before-enter", .exiting, 2)),
    19: FleetFault(
      "dropped-presentation", Mark("overlap", .entering, 3), Mark("never-arrived", .entering, 3),
      Mark("overlap", .entering, 4)),
    31: FleetFault(
      "second-exit", Mark("exit-before-enter", .exiting, 2), Mark("overlap", .entering, 3),
      Mark("never-exited", .exiting, 3)),
    43: FleetFault("replaced-in-slot", Mark("never-entered", .enqueued, 2)),
    55: FleetFault("unknown-key", Mark("never-entered", .enqueued, 2)),
    67: FleetFault("back-twice", Mark("stale-request", .enqueued, 5)),
    79: FleetFault(
      "transition-in-enter", Mark("reentrant-request", .enqueued, 2),
      Mark("exit-before-enter", .exiting, 1)),
  ]
}
