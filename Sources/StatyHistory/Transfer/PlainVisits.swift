import Staty

/// Works out which visit is meant where a line names only the state.
///
/// In memory are the visits that are open, and the last one of each state that was.
struct PlainVisits {
  private var open = OpenPlainVisits()
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
    if let known = open.state(of: visit) {
      if kind == .exited || kind == .discarded {
        closed[known] = visit
        open.close(visit)
      } else {
        open.hear(.init(kind), of: visit)
      }
      return (visit, state == 0 ? known : state)
    }
    guard kind == .enqueued || kind == .entering || kind == .entered else { return (visit, state) }
    guard state != 0 else { throw line.missing(.state, "the name of the visit's state") }
    guard open.count < Self.most else {
      throw LineProblem(
        "\(Self.most) visits are open", "Say of each when it is 'exited' or 'discarded'.")
    }
    open.begin(visit, in: state, hearing: .init(kind))
    return (visit, state)
  }

  /// The visit of a state that an event is most likely about.
  private mutating func find(
    _ line: TransferLine, _ kind: EventKind, _ state: Int32
  ) throws(LineProblem) -> UInt32 {
    guard state != 0 else {
      throw LineProblem("it names neither 'visit' nor 'state'", "Say which visit is meant.")
    }
    if kind == .enqueued { return try next() }
    let found: UInt32? =
      switch kind {
      case .entering: open.first(of: state, without: [.entering, .entered])
      case .entered:
        open.first(of: state, with: .entering, without: .entered)
          ?? open.first(of: state, without: .entered)
      case .exiting:
        open.first(of: state, with: .entered, without: .exiting)
          ?? open.first(of: state, without: .exiting)
      case .exited:
        open.first(of: state, with: .exiting) ?? open.first(of: state, with: .entered)
          ?? open.first(of: state)
      case .discarded:
        open.first(of: state, without: [.entering, .entered]) ?? open.first(of: state)
      default: open.first(of: state)
      }
    if let found { return found }
    switch kind {
    case .entering, .entered: return try next()
    case .exiting, .exited, .discarded:
      // It was out before: saying so twice is what a rule looks for.
      if let visit = closed[state] { return visit }
      throw LineProblem(
        "no visit of \(line[.state].called) is open",
        "Say before when it was 'enqueued' or 'entered', or give 'visit'.")
    default: return 0
    }
  }

  /// The number of a visit that begins.
  private func next() throws(LineProblem) -> UInt32 {
    guard last < UInt32.max else {
      throw LineProblem(
        "it begins a visit, and visit \(UInt32.max) is the last that can be",
        "Give the visits before lower numbers, or none.")
    }
    return last + 1
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
