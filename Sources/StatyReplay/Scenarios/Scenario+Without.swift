// A scenario without some of its requests.
extension Scenario {
  /// The numbers of what can be removed: cancellations, messages, and requests that were not made
  /// before the beginning.
  var removable: [Int] {
    requests.filter { $0.visit == nil }.map(\.id) + cancels.map(\.id) + messages.map(\.id)
  }

  /// These with everything that was requested or cancelled because of them: inside of their events,
  /// after them, or by their states.
  func withDependents(_ gone: Set<Int>) -> Set<Int> {
    var others = requests.filter { $0.visit == nil }.map { ($0.id, [$0.place.request, $0.origin]) }
    others += cancels.map { ($0.id, [$0.place.request, $0.extent.request]) }
    others += messages.map { ($0.id, [$0.place.request, $0.origin]) }
    var all = gone
    var count = -1
    while count != all.count {
      count = all.count
      for (id, needed) in others {
        if needed.contains(where: { $0.map(all.contains) ?? false }) { all.insert(id) }
      }
    }
    return all
  }

  /// The scenario without these.
  ///
  /// What was requested because of them may then happen at any time, from a source of its own.
  /// Cancellations of removed requests are removed, and answers to removed messages. Controllers
  /// without any request or message are removed, too.
  ///
  /// - Parameter controller: the number of the controller that stays.
  func without(_ gone: Set<Int>, keeping controller: Int32) -> Scenario {
    var rest = self
    rest.requests.removeAll { gone.contains($0.id) }
    var firsts: [Int: Int] = [:]
    for place in rest.requests.indices {
      rest.requests[place].place.forget(gone)
      if let origin = rest.requests[place].origin, gone.contains(origin) {
        rest.requests[place].origin = nil
      }
      guard let first = rest.requests[place].instance, gone.contains(first) else { continue }
      // The next request for the same object becomes the first.
      rest.requests[place].instance = firsts[first]
      if firsts[first] == nil { firsts[first] = rest.requests[place].id }
    }
    rest.cancels.removeAll { cancel in
      gone.contains(cancel.id) || cancel.extent.request.map(gone.contains) ?? false
    }
    for place in rest.cancels.indices { rest.cancels[place].place.forget(gone) }
    var unasked = gone
    rest.messages.removeAll { message in
      // An answer comes after what it answers.
      guard unasked.contains(message.id) || message.origin.map(unasked.contains) ?? false else {
        return false
      }
      unasked.insert(message.id)
      if let question = message.origin, message.questions != [] {
        rest.unanswered[question, default: []] += message.questions ?? []
      }
      return true
    }
    for place in rest.messages.indices { rest.messages[place].place.forget(gone) }
    let used = Set(
      rest.requests.map(\.controller) + rest.cancels.map(\.controller)
        + rest.messages.map(\.controller))
    rest.controllers.removeAll { $0.id != controller && !used.contains($0.id) }
    return rest
  }

  /// The steps of an order that the scenario still has.
  func keeping(_ order: Schedule) -> Schedule {
    let known = Set(requests.map(\.id) + cancels.map(\.id) + messages.map(\.id))
    let controllers = Set(controllers.map(\.id))
    return order.filter { step in
      switch step {
      case .make(let id), .complete(_, let id, _), .exitByItself(let id), .repeat(_, let id),
        .deadline(_, let id):
        known.contains(id)
      case .deferred(let step): controllers.contains(step.controller)
      case .bind(let id): controllers.contains(id)
      }
    }
  }
}

extension Scenario.Place {
  fileprivate mutating func forget(_ gone: Set<Int>) {
    if let request, gone.contains(request) { self = .anytime }
  }
}
