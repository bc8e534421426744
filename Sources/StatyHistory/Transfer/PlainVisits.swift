import Staty

/// Works out which visit is meant where a line names only the state.
///
/// In memory are the visits that are open, and the last one of each state that was.
struct PlainVisits {
  private struct Open {
    let visit: UInt32
    var isEntering = false
    var isEntered = false
    var isExiting = false

    mutating func hear(_ kind: EventKind) {
      switch kind {
      case .entering: isEntering = true
      case .entered: isEntered = true
      case .exiting: isExiting = true
      default: break
      }
    }
  }

  /// The open visits of each state, the oldest first.
  private var open: [Int32: [Open]] = [:]
  /// How many are open beside those that there was room for.
  private var others: [Int32: Int] = [:]
  /// The states of all that are open.
  private var states: [UInt32: Int32] = [:]
  private var closed: [Int32: UInt32] = [:]
  private var last: UInt32 = 0

  /// More than this no controller has in hand; one that never lets go must not fill the memory.
  private static let most = 65_536
  /// Among so many of one state the one that is meant is looked for.
  private static let mostOfState = 1_024

  /// The visit of an event and its state.
  mutating func visit(
    of line: TransferLine, _ kind: EventKind, _ state: Int32
  ) throws(LineProblem) -> VisitAndState {
    let said = UInt32(try line.integer(.visit, in: 1...Int64(UInt32.max)) ?? 0)
    if !kind.needsVisit, said == 0, state == 0 { return (0, 0) }
    // Its state is the message's name.
    if kind == .received { return (0, state) }
    let visit = said == 0 ? try find(line, kind, state) : said
    if visit == 0 { return (0, state) }
    return try note(line, kind, visit, state)
  }

  private mutating func note(
    _ line: TransferLine, _ kind: EventKind, _ visit: UInt32, _ state: Int32
  ) throws(LineProblem) -> VisitAndState {
    last = max(last, visit)
    if let known = states[visit] {
      let place = open[known]?.firstIndex { $0.visit == visit }
      if kind == .exited || kind == .discarded {
        close(visit, known, at: place)
      } else if let place {
        open[known]?[place].hear(kind)
      }
      return (visit, state == 0 ? known : state)
    }
    if kind == .moved { return (visit, state) }
    guard kind == .enqueued || kind == .entering || kind == .entered else { return (visit, state) }
    guard state != 0 else { throw line.missing(.state, "the name of the visit's state") }
    guard states.count < Self.most else {
      throw LineProblem(
        "\(Self.most) visits are open", "Say of each when it is 'exited' or 'discarded'.")
    }
    states[visit] = state
    if open[state]?.count ?? 0 < Self.mostOfState {
      var one = Open(visit: visit)
      one.hear(kind)
      open[state, default: []].append(one)
    } else {
      others[state, default: 0] += 1
    }
    return (visit, state)
  }

  private mutating func close(_ visit: UInt32, _ state: Int32, at place: Int?) {
    closed[state] = visit
    states[visit] = nil
    if let place {
      open[state]?.remove(at: place)
      if open[state]?.isEmpty ?? false { open[state] = nil }
    } else {
      others[state] = others[state].flatMap { $0 == 1 ? nil : $0 - 1 }
    }
  }

  /// The visit of a state that an event is most likely about.
  private mutating func find(
    _ line: TransferLine, _ kind: EventKind, _ state: Int32
  ) throws(LineProblem) -> UInt32 {
    guard state != 0 else {
      throw LineProblem("it names neither 'visit' nor 'state'", "Say which visit is meant.")
    }
    if kind == .enqueued || kind == .moved { return try next() }
    guard others[state] == nil else {
      throw LineProblem(
        "more than \(Self.mostOfState) visits of \(line[.state].called) are open",
        "Give 'visit', to say which is meant.")
    }
    let open = open[state] ?? []
    let found =
      switch kind {
      case .entering: open.first { !$0.isEntering && !$0.isEntered }
      case .entered:
        open.first { $0.isEntering && !$0.isEntered } ?? open.first { !$0.isEntered }
      case .exiting:
        open.first { $0.isEntered && !$0.isExiting } ?? open.first { !$0.isExiting }
      case .exited: open.first(where: \.isExiting) ?? open.first(where: \.isEntered) ?? open.first
      case .discarded: open.first { !$0.isEntering && !$0.isEntered } ?? open.first
      default: open.first
      }
    if let found { return found.visit }
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
