internal import Staty
internal import StatyReplay

extension ReplayDoubt {
  /// Why a test cannot say anything of a controller, and what to do.
  ///
  /// - Parameter called: what controllers are called, by their numbers.
  func advised(_ called: (Int32) -> String) -> String { sentence(called) + " " + advice }

  /// The same, of a scenario's controllers.
  func advised(in scenario: Scenario) -> String {
    let names = Dictionary(scenario.controllers.map { ($0.id, $0.name) }) { first, _ in first }
    return advised { names[$0] ?? "The controller" }
  }
}
