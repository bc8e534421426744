import Staty
import StatyHistory
import StatyReplay

/// Makes controllers and replays sessions.
struct ReplayEngine {
  /// How controllers are made.
  let registry: ControllerRegistry
  /// Watches the calls of controllers' own code.
  let vigil = ReplayVigil()

  /// An engine that makes controllers as the registry says.
  init(_ registry: ControllerRegistry) {
    var registry = registry
    registry.vigil = vigil
    self.registry = registry
  }

  /// The kinds of controller that can be made, by the names that recordings have.
  var names: [String] { registry.names }

  /// The state names on which controllers of a kind base decisions.
  func names(readBy kind: String) -> Set<String> {
    Set(registry.names(readBy: kind).map(\.description))
  }

  /// Replays a session once.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with.
  ///   - replacement: the kinds of controller to replay with instead of the recorded ones.
  ///   - controllers: the numbers of those that are replayed.
  func replay(
    _ session: SessionRecord, _ reader: HistoryReader, through last: Int64?,
    with replacement: Replacement, about controllers: Set<Int32>
  ) throws -> ReplayResult {
    try Verification(
      reader, session: session.id, through: last, only: controllers, registry: registry,
      with: replacement
    ).run()
  }
}
