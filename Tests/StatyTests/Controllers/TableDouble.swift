import Staty

enum TableMode: StateKey {
  case empty, loading, populated, unheardOf
}

/// Stands in for a table view: logs the calls that it gets.
final class TableDouble: KeyedHost {
  var log: [String] = []
  var rows: [String] = []
  var atEnd: (() -> Void)?
  private(set) weak var dataSource: (any KeyedState)?
  private(set) var depth = 0
  private(set) var deepest = 0

  func beginUpdates() {
    depth += 1
    deepest = max(deepest, depth)
    log.append("begin")
  }

  func adopt(_ state: (any KeyedState)?) {
    dataSource = state
    log.append("adopt \((state as? Rows)?.name ?? "nothing")")
  }

  func endUpdates() {
    atEnd?()
    depth -= 1
    log.append("end")
  }
}

/// A state of a table: inserts its rows when it enters, deletes them when it exits.
final class Rows: KeyedState {
  let name: String
  unowned let table: TableDouble
  var onEnter: ((KeyedVisit<TableMode, [String]>) -> Void)?
  var onExit: (() -> Void)?
  private(set) var visit: KeyedVisit<TableMode, [String]>?
  private(set) var isIn = false
  private(set) weak var joined: KeyedController<TableMode, [String]>?

  init(_ name: String, on table: TableDouble) {
    self.name = name
    self.table = table
  }

  func join(_ controller: KeyedController<TableMode, [String]>, forKey key: TableMode) {
    joined = controller
  }

  func enter(with data: [String]?, visit: KeyedVisit<TableMode, [String]>) {
    precondition(!isIn, "\(name) comes in twice")
    isIn = true
    self.visit = visit
    table.rows = data ?? [name]
    table.log.append("enter \(name)")
    onEnter?(visit)
  }

  func exit() {
    precondition(isIn, "\(name) exits without having entered")
    isIn = false
    table.rows = []
    table.log.append("leave \(name)")
    onExit?()
  }
}

/// A controller with three states on a table.
struct KeyedSetting {
  let table = TableDouble()
  let controller = KeyedController<TableMode, [String]>()
  let empty: Rows
  let loading: Rows
  let populated: Rows
  let log: MoveLog

  init(isBound: Bool = true) {
    empty = Rows("empty", on: table)
    loading = Rows("loading", on: table)
    populated = Rows("populated", on: table)
    log = MoveLog { [table] in table.log.append($0) }
    controller.setState(empty, forKey: .empty)
    controller.setState(loading, forKey: .loading)
    controller.setState(populated, forKey: .populated)
    if isBound { controller.bind(to: table) }
  }

  /// The calls that the table got, without the events.
  var told: [String] { table.log.filter { !$0.hasPrefix("· ") } }
}
