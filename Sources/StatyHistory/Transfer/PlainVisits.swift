import Staty

/// Works out which visit is meant where a line names only the state.
///
/// In memory are the visits that are open, and the last one of each state that was.
struct PlainVisits {
  private struct Open {
    let visit: UInt32
    let state: Int32
    var seen: Set<UInt8> = []

    func has(_ kind: EventKind) -> Bool { seen.contains(kind.rawValue) }
  }

  private var open: [Open] = []
  private var closed: [Int32: UInt32] = [:]
  private var last: UInt32 = 0

  /// More than this no controller has in hand; one that never lets go must not fill the memory.
  private static let most = 65_536

  /// The visit of an event and its state.
  mutating func visit(
    of line: TransferLine, _ kind: EventKind, _ state: Int32
  ) throws(LineProblem) -> VisitAndState {
    let said = UInt32(try line.integer(.visit, in: 1...Int64(UInt32.max)) ?? 0)
    if !kind.needsVisit, said == 0, state == 0 { return (0, 0) }
    let visit = said == 0 ? try find(line, kind, state) : said
    if visit == 0 { return (0, state) }
    return try note(line, kind, visit, state)
  }

  private mutating func note(
    _ line: TransferLine, _ kind: EventKind, _ visit: UInt32, _ state: Int32
  ) throws(LineProblem) -> VisitAndState {
    last = max(last, visit)
    if let place = open.firstIndex(where: { $0.visit == visit }) {
      open[place].seen.insert(kind.rawValue)
      let known = open[place].state
      if kind == .exited || kind == .discarded {
        closed[known] = visit
        open.remove(at: place)
      }
      return (visit, state == 0 ? known : state)
    }
    guard kind == .enqueued || kind == .entering || kind == .entered else { return (visit, state) }
    guard state != 0 else { throw line.missing(.state, "the name of the visit's state") }
    guard open.count < Self.most else {
      throw LineProblem(
        "\(Self.most) visits are open", "Say of each when it is 'exited' or 'discarded'.")
    }
    open.append(Open(visit: visit, state: state, seen: [kind.rawValue]))
    return (visit, state)
  }

  /// The visit of a state that an event is most likely about.
  private mutating func find(
    _ line: TransferLine, _ kind: EventKind, _ state: Int32
  ) throws(LineProblem) -> UInt32 {
    guard state != 0 else {
      throw LineProblem("it names neither 'visit' nor 'state'", "Say which visit is meant.")
    }
    if kind == .enqueued { return last + 1 }
    let same = open.filter { $0.state == state }
    let found: Open? =
      switch kind {
      case .entering: same.first { !$0.has(.entering) && !$0.has(.entered) }
      case .entered:
        same.first { !$0.has(.entered) && $0.has(.entering) }
          ?? same.first { !$0.has(.entered) }
      case .exiting:
        same.first { !$0.has(.exiting) && $0.has(.entered) }
          ?? same.first { !$0.has(.exiting) }
      case .exited:
        same.first { $0.has(.exiting) } ?? same.first { $0.has(.entered) }
          ?? same.first
      case .discarded: same.first { !$0.has(.entering) && !$0.has(.entered) } ?? same.first
      default: same.first
      }
    if let found { return found.visit }
    switch kind {
    case .entering, .entered: return last + 1
    case .exiting, .exited, .discarded:
      // It was out before: saying so twice is what a rule looks for.
      if let visit = closed[state] { return visit }
      throw LineProblem(
        "no visit of \(line[.state].called) is open",
        "Say before when it was 'enqueued' or 'entered', or give 'visit'.")
    default: return 0
    }
  }
}

extension EventKind {
  /// Whether it always happens to a visit.
  fileprivate var needsVisit: Bool {
    switch self {
    case .enqueued, .entering, .entered, .exiting, .exited, .discarded: true
    default: false
    }
  }

  /// All of them, for people.
  static var words: String { allCases.map { "'\($0.text)'" }.joined(separator: ", ") }
}
