/// In which order a controller lets its visits enter, and whether it shows several at once.
///
/// The ordering rules hold a controller to its discipline, and so does everything that looks for broken
/// rules. A policy says its own; a ``ControllerProbe`` is told the one of the class that it is in.
public enum Discipline: UInt8, Hashable, Sendable, CaseIterable {
  /// One at a time, in the order of the requests. A request may be discarded instead.
  case inOrder = 1
  /// One at a time, the most urgent first; equally urgent ones in the order of the requests.
  case byUrgency
  /// Each as soon as it is requested, whatever else is shown: a cross-fade, a toast over a toast.
  case atOnce
  /// One over the other, in the order of the requests. The one on top exits before those below.
  case stack
  /// A track of a value: each move ends one visit and begins the next, and nothing is requested.
  case moves

  /// Whether only one visit may be on the stage.
  package var showsOne: Bool {
    switch self {
    case .inOrder, .byUrgency: true
    case .atOnce, .stack, .moves: false
    }
  }
}
