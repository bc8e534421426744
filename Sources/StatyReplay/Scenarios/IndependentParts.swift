import Staty

extension Scenario {
  /// The independent parts of the scenario: nothing in one part comes after, inside of or from the
  /// same source as anything in another part.
  var independentParts: [Scenario] {
    let groups = independentControllers
    guard groups.count > 1 else { return [self] }
    return groups.enumerated().map { place, group in
      var part = self
      part.controllers = controllers.filter { group.contains($0.id) }
      part.requests = requests.filter { group.contains($0.controller) }
      part.cancels = cancels.filter { group.contains($0.controller) }
      part.messages = messages.filter { group.contains($0.controller) }
      part.recordedOrder = part.keeping(recordedOrder)
      // Only the first part keeps the doubts, so that each is reported once.
      if place > 0 { part.doubts = [] }
      return part
    }
  }

  private var independentControllers: [Set<Int32>] {
    var groups = controllers.map { Set([$0.id]) }
    func join(_ one: Int32, _ other: Int32) {
      guard let first = groups.firstIndex(where: { $0.contains(one) }),
        let second = groups.firstIndex(where: { $0.contains(other) }), first != second
      else { return }
      groups[min(first, second)].formUnion(groups[max(first, second)])
      groups.remove(at: max(first, second))
    }
    let all = requests.map { ($0.id, $0.controller) } + messages.map { ($0.id, $0.controller) }
    let owners = Dictionary(all) { first, _ in first }
    var sources: [Int: Int32] = [:]
    func note(_ controller: Int32, _ source: Int, _ needed: [Int?]) {
      if let other = sources[source] { join(other, controller) }
      sources[source] = controller
      for case let id? in needed {
        if let owner = owners[id] { join(owner, controller) }
      }
    }
    for one in requests {
      note(one.controller, one.source, [one.place.request, one.origin, one.instance])
    }
    for one in cancels {
      note(one.controller, one.source, [one.place.request, one.extent.request])
    }
    for one in messages { note(one.controller, one.source, [one.place.request, one.origin]) }
    return groups
  }
}

extension Scenario.Cancel.Extent {
  /// The request that it is about; `nil` if it is about more than one.
  var request: Int? { if case .request(let id) = self { id } else { nil } }
}

extension Scenario.Place {
  /// The request or message that it depends on.
  var request: Int? {
    switch self {
    case .anytime: nil
    case .called(let call): call.request == 0 ? nil : call.request
    case .within(let message): message
    case .after(let moment), .inside(let moment, _): moment.request
    }
  }
}
