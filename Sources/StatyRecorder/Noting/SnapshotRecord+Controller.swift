import Staty
import StatyHistory

extension SnapshotRecord {
  /// What a controller's snapshot says.
  init(_ snapshot: ControllerSnapshot) {
    self.init()
    standing = snapshot.standing.standing.map { one in
      var request = Request(one.request, in: snapshot)
      request.phase = one.phase.rawValue
      request.leavesOnArrival = one.leavesOnArrival ? true : nil
      return request
    }
    waiting = snapshot.standing.waiting.map { Request($0, in: snapshot) }
    isWithholding = snapshot.standing.isWithholding
    isTornDown = snapshot.standing.isTornDown
    lastVisit = snapshot.lastVisit
    if let table = snapshot.standing.routes {
      routes = table.routes.map(Route.init)
      states = table.states.map(\.description)
    }
  }
}

extension SnapshotRecord.Request {
  fileprivate init(_ request: Staty.Request, in snapshot: ControllerSnapshot) {
    self.init(visit: request.visit.rawValue, state: request.state.description)
    let first = snapshot.instances[request.visit]
    instance = first == request.visit ? nil : first?.rawValue
    priority = request.priority == 0 ? nil : request.priority
    equality = request.equality
    answers = request.answers == 0 ? nil : request.answers
  }
}

extension SnapshotRecord.Route {
  fileprivate init(_ route: Staty.Route) {
    self.init(to: route.to.description)
    switch route.start {
    case .beginning: break
    case .state(let name): from = name.description
    case .anywhere: isAnywhere = true
    }
    asked = route.asked?.description
    guarding = route.guarding?.description
    needs = route.needs?.description
  }
}
