import Staty
import Testing

@Suite struct KeyedControllerTests {
  @Test func `A transition is one block: exit, adoption of the new state, enter`() {
    let setting = KeyedSetting()
    setting.controller.transition(to: .empty)
    #expect(setting.told == ["begin", "adopt empty", "enter empty", "end"])
    setting.table.log = []
    setting.controller.transition(to: .populated, with: ["a", "b"])
    #expect(
      setting.told == ["begin", "leave empty", "adopt populated", "enter populated", "end"])
    #expect(setting.table.rows == ["a", "b"])
    #expect(setting.controller.currentKey == .populated)
    #expect(setting.table.dataSource === setting.populated)
  }

  @Test func `A state has entered only after its block has ended`() {
    let setting = KeyedSetting()
    setting.controller.transition(to: .empty)
    setting.controller.events.add(setting.log)
    setting.table.log = []
    setting.controller.transition(to: .loading)
    #expect(
      setting.table.log == [
        "· enqueued loading #2", "· exiting empty #1", "begin", "leave empty",
        "· exited empty #1", "· entering loading #2", "adopt loading", "enter loading", "end",
        "· entered loading #2",
      ])
  }

  @Test func `The same state exits and enters again with new data, as another visit`() {
    let setting = KeyedSetting()
    setting.controller.events.add(setting.log)
    setting.controller.transition(to: .populated, with: ["a"])
    setting.controller.transition(to: .populated, with: ["b"])
    #expect(setting.table.rows == ["b"])
    #expect(setting.told.count { $0 == "leave populated" } == 1)
    let entering = setting.log.events.filter { $0.kind == .entering }
    #expect(entering.map(\.visit) == [VisitNumber(1), VisitNumber(2)])
    #expect(entering.map(\.instance) == [VisitNumber(1), VisitNumber(1)])
  }

  @Test func `Before a controller is bound, its requests are pending`() {
    let setting = KeyedSetting(isBound: false)
    #expect(setting.controller.transition(to: .loading).isAccepted)
    setting.controller.transition(to: .empty)
    #expect(setting.told.isEmpty)
    #expect(setting.controller.currentKey == nil)
    setting.controller.bind(to: setting.table)
    #expect(setting.controller.currentKey == .empty)
    #expect(setting.told.filter { $0.hasPrefix("enter") } == ["enter loading", "enter empty"])
  }

  @Test func `A state gets its controller, and its visit leads to the host`() {
    let setting = KeyedSetting()
    var host: (any KeyedHost)?
    setting.empty.onEnter = { host = $0.controller?.host }
    setting.controller.transition(to: .empty)
    #expect(setting.empty.joined === setting.controller)
    #expect(host === setting.table)
  }

  @Test func `A state that is stored under the current key enters with the next request`() {
    let setting = KeyedSetting()
    setting.controller.transition(to: .empty)
    let other = Rows("other", on: setting.table)
    setting.controller.setState(other, forKey: .empty)
    #expect(setting.table.dataSource === setting.empty)
    setting.controller.transition(to: .empty)
    #expect(setting.told.suffix(4) == ["leave empty", "adopt other", "enter other", "end"])
    #expect(setting.controller.state(forKey: .empty) === other)
  }

  @Test func `A cancelled state exits in a block of its own, and no state is current afterwards`() {
    let setting = KeyedSetting()
    let request = setting.controller.transition(to: .empty)
    setting.table.log = []
    setting.controller.cancel(request.visit)
    #expect(setting.told == ["begin", "leave empty", "adopt nothing", "end"])
    #expect(setting.controller.currentKey == nil)
    setting.table.log = []
    setting.controller.transition(to: .loading)
    #expect(setting.told == ["begin", "adopt loading", "enter loading", "end"])
  }

  @Test func `A block is closed even if the next visit is cancelled inside it`() {
    let setting = KeyedSetting()
    setting.controller.transition(to: .empty)
    setting.empty.onExit = { [controller = setting.controller] in
      controller.cancel(VisitNumber(2))
    }
    setting.table.log = []
    setting.controller.transition(to: .loading)
    #expect(setting.told == ["begin", "leave empty", "adopt nothing", "end"])
    #expect(setting.table.depth == 0)
  }

  @Test func `Without its host, a controller discards requests`() {
    let setting = KeyedSetting(isBound: false)
    let controller = KeyedController<TableMode, [String]>()
    let log = MoveLog()
    controller.events.add(log)
    controller.setState(setting.loading, forKey: .loading)
    do {
      let table = TableDouble()
      controller.bind(to: table)
    }
    controller.transition(to: .loading)
    #expect(
      log.lines == [
        "resumed", "enqueued loading #1", "cancelled", "discarded loading #1 tornDown",
      ])
    #expect(controller.transition(to: .loading).discarded == .tornDown)
  }
}

@Suite struct KeyedLifetimeTests {
  @Test func `A controller is released with its owner, and its visits lead nowhere`() {
    weak var controller: KeyedController<TableMode, [String]>?
    var visit: KeyedVisit<TableMode, [String]>?
    let log = MoveLog()
    do {
      let setting = KeyedSetting()
      controller = setting.controller
      setting.controller.transition(to: .loading)
      visit = setting.loading.visit
      setting.controller.events.add(log)
    }
    #expect(controller == nil)
    #expect(visit?.isOpen == false)
    #expect(visit?.transition(to: .empty) == nil)
    #expect(log.lines == ["cancelled", "discarded loading #1 tornDown"])
  }

  @Test func `A host that is released during a transition is retained to its end`() {
    let setting = KeyedSetting(isBound: false)
    var table: TableDouble? = TableDouble()
    weak let gone = table
    var atEnd = 0
    table?.atEnd = { atEnd += 1 }
    setting.loading.onEnter = { _ in table = nil }
    if let table { setting.controller.bind(to: table) }
    setting.controller.transition(to: .loading)
    #expect(atEnd == 1)
    #expect(gone == nil)
    #expect(setting.controller.host == nil)
  }

  @Test func `A current state object is free for another controller when its own is released`() {
    let table = TableDouble()
    let state = Rows("empty", on: table)
    for _ in 0..<2 {
      let controller = KeyedController<TableMode, [String]>()
      controller.bind(to: table)
      controller.setState(state, forKey: .empty)
      #expect(controller.transition(to: .empty).isAccepted)
      controller.cancel(VisitNumber(1))
    }
    do {
      let controller = KeyedController<TableMode, [String]>()
      controller.bind(to: table)
      controller.setState(state, forKey: .empty)
      controller.transition(to: .empty)
      state.exit()
    }
    let last = KeyedController<TableMode, [String]>()
    last.bind(to: table)
    last.setState(state, forKey: .empty)
    #expect(last.transition(to: .empty).isAccepted)
  }
}

/// The faults of the published controller, which this one does not have.
@Suite struct KeyedControllerFaultTests {
  @Test func `A request for an unknown key is rejected, and the data source stays`() {
    let setting = KeyedSetting()
    setting.controller.events.add(setting.log)
    setting.controller.transition(to: .empty)
    setting.table.log = []
    let request = setting.controller.transition(to: .unheardOf)
    #expect(request.discarded == .rejected(.objection(.unknownState)))
    #expect(!request.isAccepted)
    #expect(
      setting.table.log == [
        "· enqueued unheardOf #2", "· discarded unheardOf #2 unknownState",
      ])
    #expect(setting.table.dataSource === setting.empty)
    #expect(setting.controller.currentKey == .empty)
  }

  @Test func `A transition that is requested inside enter waits until the block has ended`() {
    let setting = KeyedSetting()
    setting.loading.onEnter = { $0.transition(to: .populated, with: ["a"]) }
    setting.controller.transition(to: .loading)
    #expect(
      setting.told == [
        "begin", "adopt loading", "enter loading", "end",
        "begin", "leave loading", "adopt populated", "enter populated", "end",
      ])
    #expect(setting.table.deepest == 1)
  }

  @Test func `Requests inside leave and at the block's end are carried out one by one`() {
    let setting = KeyedSetting()
    setting.controller.transition(to: .empty)
    setting.empty.onExit = { [empty = setting.empty] in
      #expect(empty.visit?.isOpen == true)
      #expect(empty.visit?.transition(to: .populated)?.isAccepted == true)
    }
    setting.table.atEnd = { [table = setting.table, controller = setting.controller] in
      table.atEnd = nil
      controller.transition(to: .loading)
    }
    setting.table.log = []
    setting.controller.transition(to: .loading)
    #expect(
      setting.told == [
        "begin", "leave empty", "adopt loading", "enter loading", "end",
        "begin", "leave loading", "adopt populated", "enter populated", "end",
        "begin", "leave populated", "adopt loading", "enter loading", "end",
      ])
    #expect(setting.table.deepest == 1)
  }

  @Test func `A delayed request of a state that has exited is rejected`() {
    let setting = KeyedSetting()
    let clock = ManualClock()
    var late: KeyedRequest?
    var steps: [any ScheduledStep] = []
    setting.loading.onEnter = { visit in
      steps.append(
        clock.schedule(after: .seconds(2)) { late = visit.transition(to: .populated) })
    }
    setting.controller.transition(to: .loading)
    setting.controller.events.add(setting.log)
    clock.advance(by: .seconds(1))
    setting.controller.transition(to: .empty)
    clock.advance(by: .seconds(1))
    #expect(late?.discarded == .rejected(.objection(.staleOrigin)))
    #expect(setting.log.lines.last == "discarded populated #3 staleOrigin")
    #expect(setting.controller.currentKey == .empty)
    #expect(Self.origin(of: setting.log.events.last { $0.kind == .enqueued }) == VisitNumber(1))
  }

  @Test func `A delayed request is rejected even if its state has entered again`() throws {
    let setting = KeyedSetting()
    setting.controller.transition(to: .loading)
    let first = try #require(setting.loading.visit)
    setting.controller.transition(to: .loading)
    let second = try #require(setting.loading.visit)
    #expect(!first.isOpen)
    #expect(first.transition(to: .empty)?.isAccepted == false)
    #expect(setting.controller.currentKey == .loading)
    #expect(second.transition(to: .empty)?.isAccepted == true)
    #expect(setting.controller.currentKey == .empty)
  }

  @Test func `A state never exits before it has entered, whatever is cancelled and when`() {
    let setting = KeyedSetting(isBound: false)
    let first = setting.controller.transition(to: .loading)
    setting.controller.cancel(first.visit)
    setting.controller.transition(to: .empty)
    setting.empty.onEnter = { visit in
      visit.controller?.cancel(visit.number)
      visit.transition(to: .populated)
    }
    // A state stops the test if it exits without having entered.
    setting.controller.bind(to: setting.table)
    #expect(
      setting.told == [
        "begin", "adopt empty", "enter empty", "end",
        "begin", "leave empty", "adopt populated", "enter populated", "end",
      ])
  }

  private static func origin(of event: TransitionEvent?) -> VisitNumber? {
    guard case .request(let detail) = event?.detail else { return nil }
    return detail.origin
  }
}

@Suite struct KeyedDemoTests {
  @Test func `Loading finds nothing, and a pull to refresh leads from empty to populated`() {
    let setting = KeyedSetting()
    let clock = ManualClock()
    var found: [String] = []
    var steps: [any ScheduledStep] = []
    setting.loading.onEnter = { visit in
      steps.append(
        clock.schedule(after: .seconds(1)) {
          visit.transition(
            to: found.isEmpty ? .empty : .populated, with: found.isEmpty ? nil : found)
        })
    }
    setting.controller.transition(to: .loading)
    #expect(setting.table.rows == ["loading"])
    clock.run()
    #expect(setting.controller.currentKey == .empty)
    #expect(setting.table.rows == ["empty"])

    found = ["a", "b"]
    let pulled = setting.empty.visit
    steps.append(
      clock.schedule(after: .milliseconds(500)) { pulled?.transition(to: .populated, with: found) })
    clock.run()
    #expect(setting.controller.currentKey == .populated)
    #expect(setting.table.rows == ["a", "b"])
    #expect(setting.table.dataSource === setting.populated)
  }
}
