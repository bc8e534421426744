/// The order in which a controller's visits enter, and whether several are shown at once.
///
/// The ordering rules check a controller against its discipline. A policy defines its discipline;
/// for a class of your own, pass it to the ``ControllerProbe``.
public enum Discipline: UInt8, Hashable, Sendable, CaseIterable {
  /// One visit at a time, in the order of the requests. A request may be discarded instead.
  case inOrder = 1
  /// One visit at a time, the most urgent first. Equally urgent visits enter in the order of the
  /// requests.
  case byUrgency
  /// Each visit enters when it is requested, whatever else is shown: a cross-fade, overlapping
  /// toasts.
  case atOnce
  /// Visits lie on top of each other, in the order of the requests. The top one exits first.
  case stack
  /// A track of a value. Each change ends one visit and begins the next; there are no requests.
  case moves

  /// Whether only one visit may be shown at a time.
  package var showsOne: Bool {
    switch self {
    case .inOrder, .byUrgency: true
    case .atOnce, .stack, .moves: false
    }
  }
}
