import Foundation

/// Where a controller stood when its recording began, as the file has it: JSON in the column
/// `controller.snapshot`.
public struct SnapshotRecord: Codable, Equatable, Sendable {
  /// A request, on the stage or waiting.
  public struct Request: Codable, Equatable, Sendable {
    /// Its visit.
    public var visit: UInt32
    /// The name of its state.
    public var state: String
    /// The first visit of the same object, if that is another.
    public var instance: UInt32?
    /// How urgent it is.
    public var priority: Int32?
    /// What it says of being the same as others.
    public var equality: UInt32?
    /// What the guards answered.
    public var answers: UInt64?
    /// On the stage: how far it is, as `Phase` numbers it.
    public var phase: UInt8?
    /// On the stage: whether it will be told to leave as soon as it is in.
    public var leavesOnArrival: Bool?

    /// A request for this state.
    public init(visit: UInt32, state: String) {
      self.visit = visit
      self.state = state
    }
  }

  /// A declared move.
  public struct Route: Codable, Equatable, Sendable {
    /// The state it starts in; absent for the beginning and for anywhere.
    public var from: String?
    /// Whether it starts in any state.
    public var isAnywhere: Bool?
    /// The state it leads to.
    public var to: String
    /// The contextual destination that means it.
    public var asked: String?
    /// The name of its guard.
    public var guarding: String?
    /// The name of the type that must be handed over.
    public var needs: String?

    /// A move to this state.
    public init(to: String) {
      self.to = to
    }
  }

  /// Who is on the stage; the current visit is the last.
  public var standing: [Request] = []
  /// Who waits, next first.
  public var waiting: [Request] = []
  /// Whether enters are held back until the target is there.
  public var isWithholding = false
  /// Whether the controller has been torn down.
  public var isTornDown = false
  /// The number of the last visit so far.
  public var lastVisit: UInt32 = 0
  /// The declared moves, if the controller keeps to any.
  public var routes: [Route]?
  /// Every state that the routes are about.
  public var states: [String]?

  /// Whether the controller's events say what observers did when they heard of something; absent before
  /// schema 13.
  public var tellsHearing: Bool?

  /// The snapshot of a controller at its beginning.
  public init() {}

  /// The snapshot that this text says; `nil` if it says none.
  public init?(_ text: String) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = record
  }

  /// The snapshot as JSON, the same text for equal snapshots.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings, numbers and lists of them are always encoded.
    return String(decoding: try! encoder.encode(self), as: UTF8.self)
  }
}
