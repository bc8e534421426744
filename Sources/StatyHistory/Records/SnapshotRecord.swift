import Foundation
package import Staty

/// The snapshot of a controller when its recording began, as the file has it: JSON in the column
/// `controller.snapshot`.
package struct SnapshotRecord: Codable, Equatable, Sendable {
  /// A request, on the stage or waiting.
  package struct Request: Codable, Equatable, Sendable {
    /// Its visit.
    package var visit: UInt32
    /// The name of its state.
    package var state: String
    /// The first visit of the same object, if that is another.
    package var instance: UInt32?
    /// How urgent it is.
    package var priority: Int32?
    /// Its equality to other requests.
    package var equality: UInt32?
    /// Which guards allowed the request.
    package var answers: UInt64?
    /// For a visit on the stage: its phase, as `Phase` numbers it.
    package var phase: UInt8?
    /// For a visit on the stage: whether it will be told to exit as soon as it has entered.
    package var exitsOnceEntered: Bool?

    /// A request for this state.
    package init(visit: UInt32, state: String) {
      self.visit = visit
      self.state = state
    }
  }

  /// A declared move.
  package struct Route: Codable, Equatable, Sendable {
    /// The state it starts from; absent for the beginning and for any state.
    package var from: String?
    /// Whether it starts from any state.
    package var isAnywhere: Bool?
    /// The state it leads to.
    package var to: String
    /// The contextual destination that stands for it.
    package var asked: String?
    /// The name of its guard.
    package var guarding: String?
    /// The name of the type that must be handed over.
    package var needs: String?

    /// A move to this state.
    package init(to: String) {
      self.to = to
    }
  }

  /// The visits on the stage; the current one is the last.
  package var standing: [Request] = []
  /// The pending visits, the next one first.
  package var waiting: [Request] = []
  /// Whether enters are held back until there is a target.
  package var isWithholding = false
  /// Whether the controller has been torn down.
  package var isTornDown = false
  /// The number of the last visit so far.
  package var lastVisit: UInt32 = 0
  /// Whether a track had earlier events that are not in this recording.
  package var isLate: Bool?
  /// Whether a path that had such events is known to hold nothing.
  package var isEmpty: Bool?
  /// The declared moves, if the controller has any.
  package var routes: [Route]?
  /// Every state that the routes are about.
  package var states: [String]?
  /// Other tracks that should show the same as a track.
  package var mirrors: [TrackMirror]?
  /// The states that a track leaves again.
  package var transient: [String]?

  /// The snapshot of a controller at its beginning.
  package init() {}

  /// Replaces the names of states.
  package mutating func renameStates(_ name: (String) -> String) {
    for place in standing.indices { standing[place].state = name(standing[place].state) }
    for place in waiting.indices { waiting[place].state = name(waiting[place].state) }
    routes = routes?.map { route in
      var route = route
      (route.from, route.to) = (route.from.map(name), name(route.to))
      return route
    }
    states = states?.map(name)
    transient = transient?.map(name)
  }

  /// Whether the views treat the text as a JSON object and read it.
  ///
  /// They look at its first and last byte, and stop at a zero byte.
  package static func isObject(_ text: String) -> Bool {
    let bytes = text.utf8.prefix { $0 != 0 }
    return bytes.first == UInt8(ascii: "{") && bytes.last == UInt8(ascii: "}")
  }

  /// The snapshot in this text; `nil` if there is none.
  package init?(_ text: String) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = record
  }

  /// The snapshot as JSON, the same text for equal snapshots.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding strings, numbers and lists of them never fails.
    return String(decoding: try! encoder.encode(self), as: UTF8.self)
  }
}

extension SnapshotRecord {
  /// The record of a controller's snapshot.
  package init(_ snapshot: ControllerSnapshot) {
    self.init()
    standing = snapshot.standing.standing.map { one in
      var request = Request(one.request, in: snapshot)
      request.phase = one.phase.rawValue
      request.exitsOnceEntered = one.exitsOnceEntered ? true : nil
      return request
    }
    waiting = snapshot.standing.waiting.map { Request($0, in: snapshot) }
    isWithholding = snapshot.standing.isWithholding
    isTornDown = snapshot.standing.isTornDown
    lastVisit = snapshot.lastVisit
    isLate = snapshot.isLate ? true : nil
    isEmpty = snapshot.isLate && snapshot.isEmpty ? true : nil
    mirrors = snapshot.mirrors.isEmpty ? nil : snapshot.mirrors
    transient = snapshot.transient.isEmpty ? nil : snapshot.transient.map(\.description)
    if let table = snapshot.standing.routes {
      routes = table.routes.map(Route.init)
      states = table.states.map(\.description)
    }
  }
}

extension PolicySnapshot {
  /// The snapshot from which a policy continues.
  package init(_ record: SnapshotRecord) {
    self.init()
    standing = record.standing.map { one in
      Standing(
        request: Request(one), phase: one.phase.flatMap(Phase.init) ?? .empty,
        exitsOnceEntered: one.exitsOnceEntered ?? false)
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
  /// The visits for `stood` events: those on the stage in their order, then those that wait.
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
  init(_ route: Staty.Route) {
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
