/// One visit of a state, which the state uses to report that it has entered or exited.
///
/// Use a visit in the isolation of its controller; a report is handled at once. For other
/// isolations, pass ``sendable``; in debug builds, a report outside the controller's actor traps.
/// Duplicate and late reports are ignored and recorded as `stray`. After the controller was
/// released, reports do nothing.
public struct Visit {
  /// The visit's number in its controller.
  public let number: VisitNumber

  let slot: Int32
  let instance: VisitNumber
  let state: StateName
  let mailbox: Mailbox

  /// Reports that the state has entered.
  public func entered() {
    mailbox.complete(.entered, self)
  }

  /// Reports that the state has exited.
  public func exited() {
    mailbox.complete(.exited, self)
  }

  /// The same visit for code in any isolation.
  ///
  /// Its reports are handled later, in the controller's isolation.
  public var sendable: SendableVisit {
    SendableVisit(number: number, slot: slot, instance: instance, state: state, mailbox: mailbox)
  }
}

/// A visit that can report from any isolation.
public struct SendableVisit: Sendable {
  /// The visit's number in its controller.
  public let number: VisitNumber

  let slot: Int32
  let instance: VisitNumber
  let state: StateName
  let mailbox: Mailbox

  /// Reports that the state has entered.
  public func entered() {
    mailbox.post(.init(completion: .entered, visit: self))
  }

  /// Reports that the state has exited.
  public func exited() {
    mailbox.post(.init(completion: .exited, visit: self))
  }

  var local: Visit {
    Visit(number: number, slot: slot, instance: instance, state: state, mailbox: mailbox)
  }
}
