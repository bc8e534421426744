package import Staty

extension SnapshotRecord {
  /// What a controller's snapshot says.
  package init(_ snapshot: ControllerSnapshot) {
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
    isLate = snapshot.isLate ? true : nil
    if let table = snapshot.standing.routes {
      routes = table.routes.map(Route.init)
      states = table.states.map(\.description)
    }
  }
}

extension PolicySnapshot {
  /// What a policy has to know to go on where the record was made.
  package init(_ record: SnapshotRecord) {
    self.init()
    standing = record.standing.map { one in
      Standing(
        request: Request(one), phase: one.phase.flatMap(Phase.init) ?? .empty,
        leavesOnArrival: one.leavesOnArrival ?? false)
    }
    waiting = record.waiting.map(Request.init)
    isWithholding = record.isWithholding
    isTornDown = record.isTornDown
    if let routes = record.routes {
      self.routes = RouteTable(
        recorded: routes.map(Route.init), states: (record.states ?? []).map { StateName($0) })
    }
  }
}

extension PolicySnapshot {
  /// What `stood` events say: the visits on the stage in their order, then those that wait.
  package var stood: [(request: Request, reason: EventReason)] {
    standing.compactMap { one in EventReason(stood: one.phase).map { (one.request, $0) } }
      + waiting.sorted { $0.visit < $1.visit }.map { ($0, .stoodWaiting) }
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

extension Request {
  fileprivate init(_ record: SnapshotRecord.Request) {
    self.init(
      visit: VisitNumber(record.visit), state: StateName(record.state),
      priority: record.priority ?? 0,
      equality: record.equality ?? (record.instance ?? record.visit) << 1,
      answers: record.answers ?? 0)
  }
}

extension Route {
  fileprivate init(_ record: SnapshotRecord.Route) {
    let start: Start =
      record.isAnywhere == true
      ? .anywhere : record.from.map { .state(StateName($0)) } ?? .beginning
    self.init(
      from: start, to: StateName(record.to), asked: record.asked.map { StateName($0) },
      guarding: record.guarding.map { StateName($0) }, needs: record.needs.map { StateName($0) })
  }
}
