import Chance
import Staty

/// The promises of each policy's doc comment, written a second time without the policy's code.
///
/// The oracle lists what each visit was told, and checks after each signal what the promise allows.
struct PolicyOracle {
  enum Discipline: String, CaseIterable, Sendable {
    case queue, latest, immediate, reject, priority, coalesce
    case routedQueue, routedLatest, routedPriority
  }

  /// The standing of a visit, from what it was told and what it reported.
  enum Standing { case waits, comesIn, isIn, leaves, isOver }

  struct Broken: Error {
    let promise: String
    init(_ promise: String) { self.promise = promise }
  }

  let discipline: Discipline
  private(set) var requests: [Request] = []
  private var standings: [Standing] = []
  private(set) var waiting: [Request] = []
  /// Requests that were told to enter and are not over, oldest first.
  private(set) var onStage: [Request] = []
  /// The cancelled visits.
  private var cancelled: [VisitNumber] = []
  private var shownLast: Request?
  private(set) var isWithholding: Bool
  private(set) var isTornDown = false

  init(_ discipline: Discipline, isWithholding: Bool) {
    self.discipline = discipline
    self.isWithholding = isWithholding
  }

  func standing(of visit: VisitNumber) -> Standing {
    let place = Int(visit.rawValue) - 1
    return standings.indices.contains(place) ? standings[place] : .isOver
  }

  private mutating func set(_ visit: VisitNumber, _ standing: Standing) {
    standings[Int(visit.rawValue) - 1] = standing
    if standing != .waits { waiting.removeAll { $0.visit == visit } }
    if standing == .isOver { onStage.removeAll { $0.visit == visit } }
  }
}

// MARK: Routes of the routed disciplines

extension PolicyOracle {
  static let states: [StateName] = ["a", "b", "c", "d"]

  /// From the beginning to a and b; a to b; b to c if the first bit says so; c to a; all to d.
  static let routes = RouteTable([
    Route(from: .beginning, to: "a"), Route(from: .beginning, to: "b"),
    Route(from: .state("a"), to: "b"),
    Route(from: .state("b"), to: "c", guarding: "open"),
    Route(from: .state("c"), to: "a"), Route(from: .anywhere, to: "d"),
  ])

  var isRouted: Bool {
    switch discipline {
    case .routedQueue, .routedLatest, .routedPriority: true
    default: false
    }
  }

  private func mayGo(to request: Request, after before: Request?) -> Bool {
    if !isRouted { return true }
    switch (before?.state.description, request.state.description) {
    case (nil, "a"), (nil, "b"), ("a", "b"), ("c", "a"), (_, "d"): return true
    case ("b", "c"): return request.answers & 1 == 1
    default: return false
    }
  }

  /// The request that a new request would follow.
  private func predecessor(of request: Request) -> Request? {
    switch discipline {
    case .routedQueue: waiting.last ?? shownLast
    case .routedPriority:
      waiting.filter { $0.priority >= request.priority }.min { one, other in
        (one.priority, other.visit) < (other.priority, one.visit)
      } ?? shownLast
    default: shownLast
    }
  }
}

// MARK: The promises

extension PolicyOracle {
  /// Whether the policy waits for a completion, or a state exits by itself.
  func fits(_ signal: Signal) -> Bool {
    switch signal {
    case .entered(let visit): standing(of: visit) == .comesIn
    case .exited(let visit): [.comesIn, .isIn, .leaves].contains(standing(of: visit))
    default: true
    }
  }

  /// Checks a signal and the policy's commands for it.
  mutating func witness(_ signal: Signal, _ commands: [Command]) throws {
    let lawfulRefusal = note(signal)
    var discards: [VisitNumber: DiscardReason] = [:]
    for command in commands {
      switch command {
      case .enter(let request): try enters(request)
      case .exit(let visit): try exits(visit, because: signal)
      case .discard(let visit, let reason):
        discards[visit] = reason
        try isDiscarded(visit, reason, because: signal, lawfulRefusal)
      }
    }
    if let lawfulRefusal, case .requested(let request) = signal {
      guard discards[request.visit] == lawfulRefusal else {
        throw Broken("\(request.visit) had to be discarded: \(lawfulRefusal)")
      }
    }
    try isAtRest()
  }

  /// Notes what a signal changes by itself.
  ///
  /// For a request, returns why it has to be refused.
  private mutating func note(_ signal: Signal) -> DiscardReason? {
    switch signal {
    case .requested(let request):
      let refusal = refusal(of: request)
      requests.append(request)
      standings.append(.waits)
      waiting.append(request)
      return refusal
    case .entered(let visit):
      if fits(signal) { set(visit, .isIn) }
    case .exited(let visit):
      if fits(signal) { set(visit, .isOver) }
    case .cancelled(.visit(let visit)):
      if standing(of: visit) != .isOver { cancelled.append(visit) }
    case .cancelled(.all): cancelled += requests.map(\.visit)
    case .cancelled(.tearDown): isTornDown = true
    case .deadline(let visit, .entered, .force):
      if standing(of: visit) == .comesIn { set(visit, .isIn) }
    case .deadline: break
    case .resumed: isWithholding = false
    }
    return nil
  }

  private func refusal(of request: Request) -> DiscardReason? {
    if let objection = request.objection { return .rejected(.objection(objection)) }
    let before = predecessor(of: request)
    if !mayGo(to: request, after: before) {
      return before?.state == "b" && request.state == "c"
        ? .rejected(.guarded(from: "b", guard: "open"))
        : .rejected(.noRoute(from: before?.state))
    }
    if isTornDown { return .tornDown }
    switch discipline {
    case .reject:
      let isBusy = !waiting.isEmpty || onStage.contains { standing(of: $0.visit) != .isIn }
      return isBusy ? .rejected(.busy) : nil
    case .coalesce:
      let staying = onStage.last { one in
        standing(of: one.visit) != .leaves && !cancelled.contains(one.visit)
      }
      let before = waiting.last ?? staying
      return request.equality != 0 && before?.equality == request.equality ? .coalesced : nil
    default: return nil
    }
  }

  private mutating func enters(_ request: Request) throws {
    guard standing(of: request.visit) == .waits else { throw Broken("enters at most once") }
    guard waiting.contains(request) else { throw Broken("what enters was asked for like this") }
    if isWithholding { throw Broken("nobody enters before the target is there") }
    if isTornDown { throw Broken("nobody enters after a tear-down") }
    guard request == next else {
      throw Broken("it is \(next.map(\.visit)?.description ?? "?")'s turn")
    }
    if discipline != .immediate, !onStage.isEmpty { throw Broken("one on the stage at a time") }
    guard mayGo(to: request, after: shownLast) else { throw Broken("only declared moves") }
    set(request.visit, .comesIn)
    onStage.append(request)
    shownLast = request
  }

  /// The waiting request that has to enter next.
  private var next: Request? {
    switch discipline {
    case .priority, .routedPriority:
      waiting.max { ($0.priority, $1.visit) < ($1.priority, $0.visit) }
    case .latest, .routedLatest: waiting.last
    default: waiting.first
    }
  }

  private mutating func exits(_ visit: VisitNumber, because signal: Signal) throws {
    let isSkipped = signal == .deadline(visit, .entered, .skip) && standing(of: visit) == .comesIn
    guard standing(of: visit) == .isIn || isSkipped else {
      throw Broken("told to exit once, and only when in")
    }
    if !isSkipped, waiting.isEmpty, !cancelled.contains(visit), shownLast?.visit == visit {
      throw Broken("told to exit only for somebody, or when cancelled")
    }
    set(visit, .leaves)
  }

  private mutating func isDiscarded(
    _ visit: VisitNumber, _ reason: DiscardReason, because signal: Signal, _ refusal: DiscardReason?
  ) throws {
    let before = standing(of: visit)
    guard before != .isOver else { throw Broken("nothing after it is over") }
    let isLawful: Bool =
      switch reason {
      case .cancelled: before == .waits && cancelled.contains(visit)
      case .tornDown: isTornDown
      case .timedOut:
        switch signal {
        case .deadline(visit, .entered, .skip): before == .leaves
        case .deadline(visit, .exited, .force), .deadline(visit, .exited, .skip): before == .leaves
        default: false
        }
      case .replaced:
        before == .waits && waiting.count > 1 && waiting.first?.visit == visit
          && ([.latest, .routedLatest].contains(discipline)
            || discipline == .immediate && isWithholding)
      case .coalesced, .rejected:
        reason == refusal && requests.last?.visit == visit || isRefusedOnTurn(visit, reason)
      }
    guard isLawful else { throw Broken("\(visit) must not be discarded: \(reason)") }
    set(visit, .isOver)
  }

  private func isRefusedOnTurn(_ visit: VisitNumber, _ reason: DiscardReason) -> Bool {
    guard case .rejected = reason, isRouted, !isWithholding, onStage.isEmpty,
      let next, next.visit == visit
    else { return false }
    return !mayGo(to: next, after: shownLast)
  }

  /// Checks what must be true after the policy has answered a signal.
  private func isAtRest() throws {
    if isTornDown, !waiting.isEmpty || !onStage.isEmpty { throw Broken("a tear-down ends all") }
    for visit in cancelled where standing(of: visit) == .waits {
      throw Broken("\(visit) was cancelled and waits")
    }
    for visit in cancelled where standing(of: visit) == .isIn {
      throw Broken("\(visit) was cancelled and stays")
    }
    for one in onStage where one != shownLast && standing(of: one.visit) == .isIn {
      throw Broken("\(one.visit) stays under a newer one")
    }
    if let last = onStage.last, standing(of: last.visit) == .isIn, !waiting.isEmpty {
      throw Broken("\(last.visit) stays though somebody waits")
    }
    if isWithholding ? false : onStage.isEmpty || discipline == .immediate, !waiting.isEmpty {
      throw Broken("somebody waits and nothing is in the way")
    }
    if [.latest, .routedLatest].contains(discipline), waiting.count > 1 {
      throw Broken("one place to wait")
    }
  }
}

// MARK: What can happen next

extension PolicyOracle {
  /// A completion that the policy would accept now, if there is one.
  func rightCompletion(_ random: inout SeededRandom) -> Signal? {
    guard !onStage.isEmpty else { return nil }
    let visit = onStage[random.below(onStage.count)].visit
    switch standing(of: visit) {
    case .comesIn: return random.below(8) == 0 ? .exited(visit) : .entered(visit)
    case .isIn, .leaves: return .exited(visit)
    case .waits, .isOver: return nil
    }
  }

  /// The completions that visits on the stage still owe.
  ///
  /// Each makes room for a waiting request.
  var dueCompletions: [Signal] {
    onStage.compactMap { request in
      switch standing(of: request.visit) {
      case .comesIn: .entered(request.visit)
      case .leaves: .exited(request.visit)
      default: nil
      }
    }
  }
}
