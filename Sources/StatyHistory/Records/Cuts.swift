/// Where the beginning of a session was cut off, because its history is limited.
public struct SessionCut: Equatable, Sendable {
  /// The first number that was not cut off.
  public var seq: Int64
  /// How many events were.
  public var events: Int64
  /// The time of the last of them, in microseconds since the session began.
  public var time: Int64

  /// A cut before this number.
  public init(seq: Int64, events: Int64, time: Int64) {
    (self.seq, self.events, self.time) = (seq, events, time)
  }
}

/// What became of a controller whose beginning was cut off.
public struct ControllerCut: Equatable, Sendable {
  /// What is known of it.
  public enum Standing: UInt8, Sendable {
    /// Its recording was over before the cut.
    case over
    /// Its snapshot says where it stood.
    case known
    /// Where it stood cannot be said: events were lost, it went another way than its policy, or the
    /// policy is not one of ours.
    case unknown
  }

  /// What is known of it.
  public var standing: Standing
  /// The snapshot says where it stood just before this number; its events before that say no more.
  public var since: Int64
  /// The time at that number, in microseconds since the session began.
  public var time: Int64

  /// What is known from this number and time on.
  public init(_ standing: Standing, since: Int64, time: Int64) {
    self.standing = standing
    self.since = since
    self.time = time
  }
}

/// Where a controller stands at a cut that is to be made.
public struct ControllerAtCut: Equatable, Sendable {
  /// The controller's number in the file.
  public var controller: Int32
  /// What is known of it.
  public var cut: ControllerCut
  /// Its snapshot as JSON; empty if nothing is known or it is over.
  public var snapshot: String

  /// A controller that stands like this.
  public init(controller: Int32, cut: ControllerCut, snapshot: String = "") {
    self.controller = controller
    self.cut = cut
    self.snapshot = snapshot
  }
}
