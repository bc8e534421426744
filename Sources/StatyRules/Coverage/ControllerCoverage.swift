public import Staty

/// What histories have touched of one controller: its moves, and what it was told when.
///
/// Counts of several histories add up in ``Coverage/merge(_:)``, and what one of them declares is
/// declared.
public struct ControllerCoverage: Equatable, Sendable {
  /// Where a move starts.
  public enum Start: Hashable, Sendable {
    /// Before anything has been shown.
    case beginning
    /// In the state of this name.
    case state(String)
    /// Anywhere; only a declared move does.
    case anywhere
  }

  /// A move from one state to another.
  public struct Move: Hashable, Sendable {
    /// Where it starts.
    public var start: Start
    /// The state it leads to.
    public var to: String

    /// A move from there to this state.
    public init(from start: Start, to: String) {
      self.start = start
      self.to = to
    }
  }

  /// Where a controller stood, and what it was told there.
  public struct Pair: Hashable, Sendable {
    /// The current state, or the one whose completion it is; `nil` before the first.
    public var state: String?
    /// How far that state was.
    public var phase: Phase
    /// What the controller was told.
    public var signal: CoveredSignal

    /// This state in this phase, and this signal.
    public init(state: String?, phase: Phase, signal: CoveredSignal) {
      self.state = state
      self.phase = phase
      self.signal = signal
    }
  }

  /// How often each move was made.
  public internal(set) var moves: [Move: Int64] = [:]
  /// The declared moves, their conditions left out; `nil` if the controller keeps to no routes.
  public internal(set) var routes: Set<Move>?
  /// How often the controller was told what where.
  public internal(set) var pairs: [Pair: Int64] = [:]
  /// The states that came in, and those that routes name.
  public internal(set) var states: Set<String> = []
  /// Whether it is recorded what the states were told; without that, nobody is seen coming in or
  /// leaving.
  public internal(set) var tellsMoves = false
  /// How many signals came where the controller was not known to stand, because events are missing.
  public internal(set) var unplaced: Int64 = 0

  /// Nothing touched yet.
  package init() {}

  /// Adds what others have touched.
  package mutating func merge(_ other: ControllerCoverage) {
    moves.merge(other.moves, uniquingKeysWith: &+)
    pairs.merge(other.pairs, uniquingKeysWith: &+)
    states.formUnion(other.states)
    if let more = other.routes { routes = (routes ?? []).union(more) }
    tellsMoves = tellsMoves || other.tellsMoves
    unplaced &+= other.unplaced
  }
}

// MARK: What is missing

extension ControllerCoverage {
  /// A move that is declared or was made.
  public struct MoveRow: Hashable, Sendable {
    /// The move, or the declared one that stands for several.
    public var move: Move
    /// How often it was made.
    public var count: Int64
    /// Whether a route says so; `nil` if the controller keeps to none.
    public var isDeclared: Bool?
  }

  /// A pair that could be, or was.
  public struct PairRow: Hashable, Sendable {
    /// Where, and what.
    public var pair: Pair
    /// How often.
    public var count: Int64
    /// Whether a right controller and right states can come to it.
    public var fits: Bool
  }

  /// Every declared route, and every move that was made without one.
  ///
  /// A move counts for the route from its own state, and for one from anywhere only if there is
  /// none from there.
  public var moveRows: [MoveRow] {
    guard let routes else {
      return moves.map { MoveRow(move: $0, count: $1, isDeclared: nil) }.sorted()
    }
    var counts: [Move: Int64] = [:]
    var undeclared: [MoveRow] = []
    for (move, count) in moves {
      let general = Move(from: .anywhere, to: move.to)
      if routes.contains(move) {
        counts[move, default: 0] &+= count
      } else if routes.contains(general) {
        counts[general, default: 0] &+= count
      } else {
        undeclared.append(MoveRow(move: move, count: count, isDeclared: false))
      }
    }
    let declared = routes.map { MoveRow(move: $0, count: counts[$0] ?? 0, isDeclared: true) }
    return (declared + undeclared).sorted()
  }

  /// Every pair that could be, and every one that was and does not fit.
  ///
  /// Each state can be asked for another in each phase, and say what it was told to do. Cancels,
  /// deadlines and steps put off are the app's choice: the first two are waited for everywhere once
  /// they were seen anywhere, the last nowhere.
  public var pairRows: [PairRow] {
    let optional = [CoveredSignal.cancelled, .deadline].filter { signal in
      pairs.keys.contains { $0.signal == signal }
    }
    let signals = [.requested, .entered, .exited] + optional
    let phases: [Phase] =
      tellsMoves ? [.entering, .entered, .exiting, .left] : [.entered, .left]
    var rows = pairs
    for signal in signals {
      let beginning = Pair(state: nil, phase: .empty, signal: signal)
      if signal.fits(.empty) { rows[beginning, default: 0] &+= 0 }
      for state in states {
        for phase in phases where signal.fits(phase) {
          rows[Pair(state: state, phase: phase, signal: signal), default: 0] &+= 0
        }
      }
    }
    return rows.map { PairRow(pair: $0, count: $1, fits: $0.signal.fits($0.phase)) }.sorted()
  }
}

extension ControllerCoverage.MoveRow: Comparable {
  public static func < (one: Self, other: Self) -> Bool { one.order < other.order }

  private var order: (Int, String, String) {
    switch move.start {
    case .beginning: (0, "", move.to)
    case .state(let name): (1, name, move.to)
    case .anywhere: (2, "", move.to)
    }
  }
}

extension ControllerCoverage.PairRow: Comparable {
  public static func < (one: Self, other: Self) -> Bool { one.order < other.order }

  private var order: (Int, String, UInt8, UInt8) {
    (pair.state == nil ? 0 : 1, pair.state ?? "", pair.phase.rawValue, pair.signal.rawValue)
  }
}
