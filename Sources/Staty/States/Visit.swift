/// A state's way of saying that it is in or out.
///
/// A visit is used in the isolation of its controller, and what it says is carried out at once.
/// To say it from anywhere else, hand ``sendable`` over. Saying a thing twice, late, or after the
/// controller has gone does no harm: it is told to observers as stray.
public struct Visit {
  /// The visit's number in its controller.
  public let number: VisitNumber

  let slot: Int32
  let instance: VisitNumber
  let state: StateName
  let mailbox: Mailbox

  /// The state is in.
  public func entered() {
    mailbox.complete(.entered, self)
  }

  /// The state is out.
  public func exited() {
    mailbox.complete(.exited, self)
  }

  /// The same for code in any isolation.
  ///
  /// What it says is carried out when the controller's isolation gets to it.
  public var sendable: SendableVisit {
    SendableVisit(number: number, slot: slot, instance: instance, state: state, mailbox: mailbox)
  }
}

/// A state's way of saying, from any isolation, that it is in or out.
public struct SendableVisit: Sendable {
  /// The visit's number in its controller.
  public let number: VisitNumber

  let slot: Int32
  let instance: VisitNumber
  let state: StateName
  let mailbox: Mailbox

  /// The state is in.
  public func entered() {
    mailbox.post(.init(completion: .entered, visit: self))
  }

  /// The state is out.
  public func exited() {
    mailbox.post(.init(completion: .exited, visit: self))
  }

  var local: Visit {
    Visit(number: number, slot: slot, instance: instance, state: state, mailbox: mailbox)
  }
}
