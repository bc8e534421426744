/// A policy that allows only declared routes.
///
/// A request is checked against the routes twice. When it is made, it is checked against the
/// request that it would follow, so that a wrong request is rejected at once. Before it enters, it
/// is checked against the state that was really shown last, because requests between may have been
/// cancelled.
public struct RoutedPolicy<Base: TransitionPolicy>: TransitionPolicy {
  private var base: Base
  private let table: RouteTable
  /// The request that was really told to enter last.
  ///
  /// The base policy also counts refused ones.
  private var shown: Request?

  /// Creates a policy that checks requests against a table of routes.
  ///
  /// - Parameters:
  ///   - base: the policy that decides about allowed requests.
  ///   - routes: the routes.
  public init(_ base: Base, routes: RouteTable) {
    self.base = base
    table = routes
    shown = base.current
  }

  /// Creates the policy without any route.
  public init() {
    self.init(Base(), routes: RouteTable([]))
  }

  public static var name: StateName { Base.name }
  public static var discipline: Discipline { Base.discipline }

  public var current: Request? { shown }
  public var phase: Phase {
    base.current?.visit == shown?.visit ? base.phase : shown == nil ? .empty : .exited
  }

  public func predecessor(of request: Request) -> Request? {
    let before = base.predecessor(of: request)
    return before?.visit == base.current?.visit ? shown : before
  }

  public mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    if case .requested(let request) = signal, request.objection == nil,
      let refusal = refusal(of: request, after: predecessor(of: request))
    {
      commands.append(.discard(request.visit, .rejected(refusal)))
      return .fits
    }
    return pass(signal, &commands)
  }

  /// Passes a signal to the base policy, and replaces the enters that no route allows.
  private mutating func pass(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    var decided = CommandQueue()
    let fit = base.receive(signal, &decided)
    while let command = decided.popFirst() {
      guard case .enter(let request) = command else {
        commands.append(command)
        continue
      }
      if let refusal = refusal(of: request, after: shown) {
        commands.append(.discard(request.visit, .rejected(refusal)))
        _ = base.receive(.exited(request.visit), &decided)
      } else {
        shown = request
        commands.append(command)
      }
    }
    return fit
  }

  private func refusal(of request: Request, after before: Request?) -> Refusal? {
    table.refusal(from: before?.state, to: request.state, answers: request.answers)
  }
}

extension RoutedPolicy {
  public var snapshot: PolicySnapshot {
    var snapshot = base.snapshot
    if let last = snapshot.standing.last, last.request.visit != shown?.visit {
      // The base's last request was refused before it could enter.
      snapshot.standing.removeLast()
      if let shown { snapshot.standing.append(.init(request: shown, phase: .exited)) }
    }
    snapshot.routes = table
    return snapshot
  }

  public init(restoring snapshot: PolicySnapshot) {
    self.init(Base(restoring: snapshot), routes: snapshot.routes ?? RouteTable([]))
  }
}
