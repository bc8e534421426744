import Staty
import StatyUIKit
import Testing
import UIKit

@MainActor @Suite struct StatefulTableViewTests {
  @Test func `The demonstration: empty, and after a pull loading and populated`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    #expect(table.texts == ["Nothing here"])
    table.refreshControl?.pull()
    #expect(table.texts == ["Loading…"])
    #expect(table.refreshControl?.isRefreshing == true)
    UIKitDouble.run()
    #expect(table.texts == ["One", "Two", "Three"])
    #expect(table.refreshControl?.isRefreshing == false)
    #expect(table.currentKey == .populated)
    #expect(window.rootViewController === table)
  }

  @Test func `The current state is the data source and the delegate`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    #expect(table.tableView.dataSource === table.empty)
    table.transition(to: .populated, with: ["One"])
    #expect(table.tableView.dataSource === table.populated)
    #expect(table.tableView.delegate === table.populated)
    #expect(table.populated.tableView === table.tableView)
    #expect(table.populated.refreshControl === table.refreshControl)
    #expect(window.rootViewController === table)
  }

  @Test func `Each state can follow each, even itself, and the rows add up`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    let keys: [DemoKey] = [.empty, .loading, .populated]
    for from in keys {
      for to in keys {
        table.transition(to: from, with: ["\(from)"])
        table.transition(to: to, with: ["\(to)", "again"])
        #expect(table.currentKey == to)
        #expect(table.texts == ["\(to)", "again"])
      }
    }
    #expect(table.refusals.isEmpty)
    #expect(window.rootViewController === table)
  }

  @Test func `An unknown key is reported, and the current state stays`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    let request = table.transition(to: .unheardOf)
    #expect(request.discarded == .rejected(.objection(.unknownState)))
    #expect(table.refusals == ["the controller knows no state called unheardOf"])
    #expect(table.texts == ["Nothing here"])
    #expect(table.tableView.dataSource === table.empty)
    #expect(window.rootViewController === table)
  }

  @Test func `A transition requested inside another has its own update block`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    var depths: [Int] = []
    table.loading.onEnter = { visit in
      depths.append(table.tableView.updateDepth)
      visit.transition(to: .populated, with: ["One"])
    }
    table.populated.onEnter = { _ in depths.append(table.tableView.updateDepth) }
    table.transition(to: .loading)
    #expect(depths == [1, 1])
    #expect(table.texts == ["One"])
    #expect(window.rootViewController === table)
  }

  @Test func `A delayed request of a state that has exited is refused, with its origin`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    let events = EventLines()
    table.events.add(events)
    table.refreshControl?.pull()
    let loading = table.currentVisit
    table.transition(to: .empty)
    UIKitDouble.run()
    #expect(table.texts == ["Nothing here"])
    #expect(table.refusals == ["the state that asked has left in the meantime"])
    let origins = events.events.compactMap { event -> VisitNumber? in
      guard case .request(let detail) = event.detail else { return nil }
      return detail.origin
    }
    #expect(origins == [loading])
    #expect(window.rootViewController === table)
  }

  @Test func `A request made before the view is loaded is pending until then`() {
    UIKitDouble.reset()
    let table = DemoTable(style: .plain)
    table.setState(table.populated, forKey: .populated)
    table.transition(to: .populated, with: ["Early"])
    #expect(table.currentKey == nil)
    table.loadViewIfNeeded()
    #expect(table.texts == ["Nothing here"])
    #expect(table.populated.rows == ["Early"])
  }

  @Test func `A cancelled state removes its rows, and the table keeps a data source`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    if let visit = table.currentVisit { table.cancel(visit) }
    #expect(table.texts == [])
    #expect(table.tableView.dataSource != nil)
    table.transition(to: .populated, with: ["One"])
    #expect(table.texts == ["One"])
    #expect(window.rootViewController === table)
  }

  @Test func `A transition is one update block: exit, change of data source, enter`() {
    let table = DemoTable(style: .plain)
    let (window, log) = (show(table), Log())
    for (name, state) in [("empty", table.empty), ("populated", table.populated)] {
      let note: (String) -> Void = { [unowned table, unowned state] word in
        let isPlaced = table.tableView.dataSource === state && table.tableView.delegate === state
        log.lines.append(
          "\(name) \(word), in place: \(isPlaced), in \(table.tableView.updateDepth)")
      }
      state.onEnter = { _ in note("comes") }
      state.onExit = { note("goes") }
    }
    table.transition(to: .populated, with: ["One"])
    #expect(
      log.take() == ["empty goes, in place: true, in 1", "populated comes, in place: true, in 1"])
    #expect(table.tableView.updateDepth == 0)
    #expect(table.texts == ["One"])
    #expect(window.rootViewController === table)
  }

  @Test func `A state that outlives its controller has a table that it can change`() {
    UIKitDouble.reset()
    var table: DemoTable? = DemoTable(style: .plain)
    table?.loadViewIfNeeded()
    weak let released = table
    weak let shown = table?.tableView
    let (entered, pending) = (table?.empty, table?.loading)
    table = nil
    #expect(released == nil)
    #expect(shown == nil)
    for state in [entered, pending] {
      let raised = UIKitDouble.exceptions {
        let first = IndexPath(row: 0, section: 0)
        state?.tableView.insertRows(at: [first], with: .fade)
        state?.tableView.scrollToRow(at: first, at: .top, animated: true)
        var isChanged = false
        state?.tableView.performBatchUpdates { isChanged = true }
        #expect(isChanged)
      }
      #expect(raised.isEmpty)
      #expect(state?.tableView.numberOfRows(inSection: 0) == 0)
    }
  }

  @Test func `A state that was never stored stops the process with advice`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        _ = StatefulTableViewState<DemoKey, [String]>().tableView
      }
    }
    #expect(said(result).contains("is in no controller"))
  }

  @Test func `A state that has not entered is never told to exit, whatever is cancelled`() {
    UIKitDouble.reset()
    let table = DemoTable(style: .plain)
    let events = EventLines()
    table.events.add(events)
    table.setState(table.populated, forKey: .populated)
    // Before the view is loaded no state enters.
    table.cancel(table.transition(to: .populated, with: ["One"]).visit)
    #expect(events.lines.last == "discarded populated cancelled")
    table.loadViewIfNeeded()
    // A state that is cancelled inside another's enter does not enter either.
    var waiting: [KeyedRequest] = []
    table.loading.onEnter = { _ in
      waiting = [table.transition(to: .populated, with: ["Two"]), table.transition(to: .empty)]
      table.cancel(waiting[0].visit)
      table.cancel(waiting[1].visit)
    }
    table.transition(to: .loading)
    #expect(table.texts == ["Loading…"])
    #expect(!events.lines.contains("exiting populated"))
    // A state that has exited cannot exit again.
    let visit = table.currentVisit
    #expect(visit != nil)
    for _ in 0..<2 { if let visit { table.cancel(visit) } }
    #expect(table.texts == [])
    #expect(events.lines.count { $0 == "exiting loading" } == 1)
    #expect(UIKitDouble.warnings.isEmpty)
  }

  @Test func `The table reports a state with rows that do not add up`() {
    let table = DemoTable(style: .plain)
    let window = show(table)
    table.loading.onEnter = { [loading = table.loading] _ in loading.rows.append("one too many") }
    let raised = UIKitDouble.exceptions { table.transition(to: .loading) }
    #expect(raised.first?.reason.hasPrefix("Invalid update: invalid number of rows") ?? false)
    #expect(window.rootViewController === table)
  }

  @Test func `The base class reports methods that were not overridden`() {
    final class Bare: StatefulTableViewState<DemoKey, [String]> {
      var notes: [String] = []
      override func didNotOverride(_ function: String) { notes.append(function) }
      override func tableView(_ tableView: UITableView, numberOfRowsInSection: Int) -> Int { 0 }
    }
    let table = DemoTable(style: .plain)
    let (window, bare) = (show(table), Bare())
    table.setState(bare, forKey: .unheardOf)
    table.transition(to: .unheardOf)
    table.transition(to: .empty)
    #expect(bare.notes == ["enter(with:visit:)", "exit()"])
    #expect(window.rootViewController === table)
  }

  @Test func `A missing numberOfRows method stops the process with advice`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let state = StatefulTableViewState<DemoKey, [String]>()
        _ = state.tableView(UITableView(frame: .zero, style: .plain), numberOfRowsInSection: 0)
      }
    }
    #expect(said(result).contains("must override tableView(_:numberOfRowsInSection:)"))
  }

  @Test func `A missing cellForRow method stops the process with advice`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let state = StatefulTableViewState<DemoKey, [String]>()
        let path = IndexPath(row: 0, section: 0)
        _ = state.tableView(UITableView(frame: .zero, style: .plain), cellForRowAt: path)
      }
    }
    #expect(said(result).contains("must override tableView(_:cellForRowAt:)"))
  }

  private func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
