package import Staty

extension EventDetail {
  /// Sets how a request was made, besides its origin and its priority.
  ///
  /// - Parameter number: the number of a name in the file.
  package mutating func set(
    _ asked: RequestDetail, of event: borrowing TransitionEvent, number: (StateName) -> Int32
  ) {
    let visit = event.visit?.rawValue ?? 0
    let first = event.instance?.rawValue ?? visit
    instance = first == visit ? 0 : first
    if asked.request.equality != first << 1 { equality = asked.request.equality }
    answers = asked.request.answers
    objection = asked.request.objection?.rawValue ?? 0
    self.asked = asked.asked.map(number) ?? 0
  }

  /// Says why a request was rejected.
  package mutating func set(_ refused: Refusal, number: (StateName) -> Int32) {
    switch refused {
    case .busy: refusal = 1
    case .noRoute(let from):
      refusal = 2
      refusedFrom = from.map(number) ?? 0
    case .guarded(let from, let guarding):
      refusal = 3
      refusedFrom = from.map(number) ?? 0
      refusedNeeds = number(guarding)
    case .context(let from, let needs):
      refusal = 4
      refusedFrom = from.map(number) ?? 0
      refusedNeeds = number(needs)
    case .objection(let reason):
      refusal = 5
      objection = reason.rawValue
    }
  }
}
