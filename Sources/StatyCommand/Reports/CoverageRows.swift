import Staty
import StatyRules

/// A controller's coverage as one table, the same columns for moves and for signals.
enum CoverageRows {
  static let columns = [
    "controller", "policy", "what", "state", "phase", "signal", "to", "n", "expected",
  ]

  static func cells(_ controller: Coverage.Controller, _ row: ControllerCoverage.MoveRow) -> [Cell]
  {
    let (state, phase): (Cell, Cell) =
      switch row.move.start {
      case .beginning: (.nothing, .text(Phase.empty.text))
      case .state(let name): (.text(name), .nothing)
      case .anywhere: (.nothing, .text("any"))
      }
    return [
      .text(controller.name), .text(controller.policy),
      .text(row.isDeclared == true ? "route" : "move"), state, phase, .nothing, .text(row.move.to),
      .integer(row.count), row.isDeclared.map { .integer($0 ? 1 : 0) } ?? .nothing,
    ]
  }

  static func cells(_ controller: Coverage.Controller, _ row: ControllerCoverage.PairRow) -> [Cell]
  {
    [
      .text(controller.name), .text(controller.policy), .text("signal"), .text(row.pair.state),
      .text(row.pair.phase.text), .text(row.pair.signal.text), .nothing, .integer(row.count),
      .integer(row.fits ? 1 : 0),
    ]
  }
}

/// A controller's coverage as people read it: its moves, and what it was told in which phase.
struct CoverageTables {
  let moves: RowTable
  let signals: RowTable

  private struct Place: Hashable {
    var state: String?
    var phase: Phase
  }

  init(_ moveRows: [ControllerCoverage.MoveRow], _ pairRows: [ControllerCoverage.PairRow]) {
    var moves = RowTable(["from", "to", "declared", "seen"])
    for row in moveRows {
      moves.add([
        Self.start(row.move.start), .text(row.move.to),
        row.isDeclared.map { .text($0 ? "yes" : "no") } ?? .nothing, Self.seen(row.count),
      ])
    }
    self.moves = moves
    signals = Self.matrix(pairRows)
  }

  private static func start(_ start: ControllerCoverage.Start) -> Cell {
    switch start {
    case .beginning: .text("(beginning)")
    case .state(let name): .text(name)
    case .anywhere: .text("(anywhere)")
    }
  }

  private static func seen(_ count: Int64) -> Cell { .figure(count == 0 ? "never" : "\(count)") }

  /// A row for each state and phase, a column for each signal that matters somewhere.
  private static func matrix(_ rows: [ControllerCoverage.PairRow]) -> RowTable {
    let signals = CoveredSignal.allCases.filter { signal in
      rows.contains { $0.pair.signal == signal }
    }
    var table = RowTable(["state", "phase"] + signals.map(\.text))
    var places: [Place] = []
    var cells: [Place: [CoveredSignal: Cell]] = [:]
    for row in rows {
      let place = Place(state: row.pair.state, phase: row.pair.phase)
      if cells[place] == nil { places.append(place) }
      cells[place, default: [:]][row.pair.signal] = seen(row.count)
    }
    for place in places {
      table.add(
        [place.state.map { .text($0) } ?? .text("(none)"), .text(place.phase.text)]
          + signals.map { cells[place]?[$0] ?? .nothing })
    }
    return table
  }
}
