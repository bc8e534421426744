/// One controller as the file has it.
public struct ControllerRecord: Equatable, Sendable {
  /// Its number in the file.
  public var id: Int32
  /// The session it belongs to.
  public var session: Int64
  /// The name under which it is recorded.
  public var name: String
  /// The name of its policy.
  public var policy: String
  /// How much is told of it: 1 full, 2 ordered, 3 three-kind.
  public var fidelity: UInt8
  /// Where it stood when recording began, as JSON; or where it stood at the cut.
  public var snapshot: String
  /// What became of it at the cut, if its beginning was cut off.
  public var cut: ControllerCut?

  /// A controller with these parts; by default its recording was not cut off.
  public init(
    id: Int32, session: Int64, name: String, policy: String, fidelity: UInt8, snapshot: String,
    cut: ControllerCut? = nil
  ) {
    self.id = id
    self.session = session
    self.name = name
    self.policy = policy
    self.fidelity = fidelity
    self.snapshot = snapshot
    self.cut = cut
  }
}

/// A place in the code as the file has it.
public struct SiteRecord: Hashable, Sendable {
  /// The file, as `#fileID` names it.
  public var file: String
  /// The line in the file.
  public var line: Int64

  /// This line of this file.
  public init(file: String, line: Int64) {
    self.file = file
    self.line = line
  }
}

/// Numbers that were drawn and whose events are not in the file.
public struct LossRecord: Equatable, Sendable {
  /// The first of the numbers.
  public var firstSeq: Int64
  /// The last of the numbers.
  public var lastSeq: Int64
  /// How many of the numbers from first to last have no event.
  public var count: Int64
  /// Why.
  public var reason: String

  /// A loss with these parts.
  public init(firstSeq: Int64, lastSeq: Int64, count: Int64, reason: String) {
    self.firstSeq = firstSeq
    self.lastSeq = lastSeq
    self.count = count
    self.reason = reason
  }
}

/// The wall clock beside a session's own.
public struct AnchorRecord: Equatable, Sendable {
  /// Microseconds since the session began.
  public var time: Int64
  /// Microseconds of the wall clock since 1970.
  public var wallTime: Int64

  /// An anchor with these parts.
  public init(time: Int64, wallTime: Int64) {
    self.time = time
    self.wallTime = wallTime
  }
}
