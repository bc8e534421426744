import Foundation

/// Where a controller stood when its recording began, as the file has it: JSON in the column
/// `controller.snapshot`.
package struct SnapshotRecord: Codable, Equatable, Sendable {
  /// A request, on the stage or waiting.
  package struct Request: Codable, Equatable, Sendable {
    /// Its visit.
    package var visit: UInt32
    /// The name of its state.
    package var state: String
    /// The first visit of the same object, if that is another.
    package var instance: UInt32?
    /// How urgent it is.
    package var priority: Int32?
    /// What it says of being the same as others.
    package var equality: UInt32?
    /// What the guards answered.
    package var answers: UInt64?
    /// On the stage: how far it is, as `Phase` numbers it.
    package var phase: UInt8?
    /// On the stage: whether it will be told to exit as soon as it has entered.
    var leavesOnArrival: Bool?

    /// A request for this state.
    package init(visit: UInt32, state: String) {
      self.visit = visit
      self.state = state
    }
  }

  /// A declared move.
  package struct Route: Codable, Equatable, Sendable {
    /// The state it starts in; absent for the beginning and for anywhere.
    package var from: String?
    /// Whether it starts in any state.
    package var isAnywhere: Bool?
    /// The state it leads to.
    package var to: String
    /// The contextual destination that means it.
    package var asked: String?
    /// The name of its guard.
    package var guarding: String?
    /// The name of the type that must be handed over.
    package var needs: String?

    /// A move to this state.
    package init(to: String) {
      self.to = to
    }
  }

  /// The visits on the stage; the current one is the last.
  package var standing: [Request] = []
  /// The pending visits, the next one first.
  package var waiting: [Request] = []
  /// Whether enters are held back until the target is there.
  package var isWithholding = false
  /// Whether the controller has been torn down.
  package var isTornDown = false
  /// The number of the last visit so far.
  package var lastVisit: UInt32 = 0
  /// Whether a track had events before that are not in this recording.
  package var isLate: Bool?
  /// The declared moves, if the controller keeps to any.
  package var routes: [Route]?
  /// Every state that the routes are about.
  package var states: [String]?

  /// The snapshot of a controller at its beginning.
  package init() {}

  /// Whether the views take the text for an object of JSON, and read it: they look at its first and last
  /// byte, and end where a zero does.
  static func isObject(_ text: String) -> Bool {
    let bytes = text.utf8.prefix { $0 != 0 }
    return bytes.first == UInt8(ascii: "{") && bytes.last == UInt8(ascii: "}")
  }

  /// The snapshot that this text says; `nil` if it says none.
  package init?(_ text: String) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = record
  }

  /// The snapshot as JSON, the same text for equal snapshots.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings, numbers and lists of them are always encoded.
    return String(decoding: try! encoder.encode(self), as: UTF8.self)
  }
}
