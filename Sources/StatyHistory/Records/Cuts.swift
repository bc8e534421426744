/// Where the beginning of a session was cut off, because its history is limited.
package struct SessionCut: Equatable, Sendable {
  /// The first number that was not cut off.
  package var seq: Int64
  /// How many events were.
  package var events: Int64
  /// The time of the last of them, in microseconds since the session began.
  package var time: Int64

  /// A cut before this number.
  package init(seq: Int64, events: Int64, time: Int64) {
    (self.seq, self.events, self.time) = (seq, events, time)
  }
}

/// What became of a controller whose beginning was cut off.
package struct ControllerCut: Equatable, Sendable {
  /// What is known of it.
  package enum Standing: UInt8, Sendable {
    /// Its recording was over before the cut.
    case over
    /// Its snapshot says where it stood.
    case known
    /// Where it stood cannot be said: events were lost, it went another way than its policy, or the
    /// policy is not one of ours.
    case unknown
  }

  /// What is known of it.
  package var standing: Standing
  /// The snapshot says where it stood just before this number; its events before that say no more.
  package var since: Int64
  /// The time at that number, in microseconds since the session began.
  package var time: Int64

  /// What is known from this number and time on.
  package init(_ standing: Standing, since: Int64, time: Int64) {
    self.standing = standing
    self.since = since
    self.time = time
  }
}

/// Where a controller stands at a cut that is to be made.
package struct ControllerAtCut: Equatable, Sendable {
  /// The controller's number in the file.
  var controller: Int32
  /// What is known of it.
  var cut: ControllerCut
  /// Its snapshot as JSON; empty if nothing is known or it is over.
  var snapshot: String

  /// A controller that stands like this.
  package init(controller: Int32, cut: ControllerCut, snapshot: String = "") {
    self.controller = controller
    self.cut = cut
    self.snapshot = snapshot
  }
}
