import Chance
import Staty
import StatyUIKit
import Testing
import UIKit

/// A failure prints its seed; `STATY_SEED` set to it makes the same sequences again.
@MainActor @Suite struct RandomTableTests {
  @Test func `In every order of requests, states enter and exit one by one with all their rows`() {
    for number in 0..<randomRuns(3_000) {
      let seed = testSeed &+ number
      let run = RandomRun(seed: seed)
      run.run(steps: 30)
      if let fault = run.fault {
        Issue.record("STATY_SEED=\(seed): \(fault)\n\(run.history.joined(separator: "\n"))")
        return
      }
    }
  }
}

private enum Key: StateKey, CaseIterable {
  case empty, loading, populated, failed, unheardOf
}

/// A state that checks when it is told to enter and to exit.
@MainActor private final class StrictRows: StatefulTableViewState<Key, [String]> {
  private(set) var rows: [String]
  private(set) var isIn = false
  var onFault: (String) -> Void = { _ in }
  var onTold: (KeyedVisit<Key, [String]>?) -> Void = { _ in }

  init(_ rows: [String]) {
    self.rows = rows
    super.init()
  }

  private func check(_ isRight: Bool, _ fault: String) {
    if !isRight { onFault(fault) }
  }

  private var paths: [IndexPath] { rows.indices.map { IndexPath(row: $0, section: 0) } }

  override func enter(with content: [String]?, visit: KeyedVisit<Key, [String]>) {
    check(!isIn, "a state comes in that is in")
    check(tableView.updateDepth == 1, "a state comes in outside of its block")
    check(
      tableView.dataSource === self && tableView.delegate === self, "a state comes in too early")
    isIn = true
    if let content { rows = content }
    // A request made here must be pending until the transition has ended.
    onTold(visit)
    tableView.insertRows(at: paths, with: .bottom)
    onTold(visit)
  }

  override func exit() {
    check(isIn, "a state exits that has not entered")
    check(tableView.updateDepth == 1, "a state exits outside of its block")
    check(tableView.dataSource === self, "a state exits that is not the data source")
    isIn = false
    tableView.deleteRows(at: paths, with: .top)
    onTold(nil)
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    rows.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    cell.textLabel?.text = rows[indexPath.row]
    return cell
  }
}

private final class RandomTable: StatefulTableViewController<Key, [String]> {
  private(set) var refusals = 0
  override func didRefuse(_ state: StateName, because refusal: Refusal) { refusals += 1 }
}

/// One random sequence of requests that an app and its states make.
@MainActor private final class RandomRun {
  private let table = RandomTable(style: .plain)
  private var states: [Key: StrictRows] = [:]
  private let events = EventLines()
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  private var random: SeededRandom
  private(set) var fault: String?
  private(set) var history: [String] = []

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    UIKitDouble.reset()
    table.events.add(events)
    for key in Key.allCases where key != .unheardOf { put(key) }
    window.rootViewController = table
  }

  private func put(_ key: Key) {
    let state = StrictRows(someRows())
    state.onFault = { [unowned self] in note($0) }
    state.onTold = { [unowned self] in askAtTimes($0) }
    states[key] = state
    table.setState(state, forKey: key)
  }

  func run(steps: Int) {
    // Requests made before the view is loaded are pending.
    for _ in 0..<random.below(3) { ask() }
    guarded(window.makeKeyAndVisible)
    for _ in 0..<steps where fault == nil { guarded(step) }
    guarded(UIKitDouble.run)
    let answered = events.events.count { $0.kind == .entered || $0.kind == .discarded }
    let asked = events.events.count { $0.kind == .enqueued }
    if answered != asked { note("\(asked) requests have \(answered) answers") }
    let refused = events.refusals.count
    if table.refusals != refused { note("\(table.refusals) refusals of \(refused) were told") }
  }

  private func guarded(_ body: () -> Void) {
    if let exception = UIKitDouble.exceptions(in: body).first { note(exception.reason) }
    check()
  }

  private func step() {
    switch random.below(8) {
    case 0..<4: ask()
    case 4:
      guard let visit = table.currentVisit else { return }
      history.append("cancel \(visit)")
      table.cancel(visit)
    case 5:
      guard let key = table.currentKey ?? Key.allCases.first else { return }
      history.append("another state for \(key)")
      put(key)
    default:
      let time = Double(random.below(4)) / 2
      history.append("\(time) s pass")
      UIKitDouble.advance(by: time)
    }
  }

  private func ask() {
    let (key, rows) = someKey()
    history.append("ask for \(key) \(rows ?? [])")
    table.transition(to: key, with: rows)
  }

  /// A state requests the next, now or later.
  ///
  /// Later, it may have exited.
  private func askAtTimes(_ visit: KeyedVisit<Key, [String]>?) {
    guard random.below(8) == 0 else { return }
    guard let visit else { return ask() }
    let (key, rows) = someKey()
    if random.below(2) == 0 {
      history.append("from inside ask for \(key)")
      visit.transition(to: key, with: rows)
    } else {
      history.append("in a second ask for \(key)")
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { visit.transition(to: key, with: rows) }
    }
  }

  private func someKey() -> (Key, [String]?) {
    (Key.allCases[random.below(5)], random.below(3) == 0 ? nil : someRows())
  }

  private func someRows() -> [String] {
    (0..<random.below(4)).map { _ in "\(random.below(1_000))" }
  }

  private func check() {
    guard let shown = table.tableView else { return }
    if shown.updateDepth != 0 { note("a block is open") }
    if shown.dataSource == nil { note("the table has no data source") }
    let current = shown.dataSource as? StrictRows
    let isRight = current.map(\.isIn) ?? (table.currentKey == nil)
    if !isRight { note("the data source is not what is in place") }
    let texts = (0..<shown.numberOfRows(inSection: 0)).map {
      shown.cellForRow(at: IndexPath(row: $0, section: 0))?.textLabel?.text
    }
    if texts != current?.rows ?? [] { note("the rows are not those of the state in place") }
    if states.values.count(where: \.isIn) > 1 { note("two states are in") }
  }

  private func note(_ fault: String) {
    if self.fault == nil { self.fault = fault }
  }
}
