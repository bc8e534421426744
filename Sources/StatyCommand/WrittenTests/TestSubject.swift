import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules
import StatySpecimens

/// What a test is written of: the one answer for who writes it and for who says how it is written.
struct TestSubject {
  let session: SessionRecord
  let controller: ControllerRecord
  let finding: Finding

  /// None if nothing is found that is meant.
  init?(
    _ sessions: [SessionRecord], _ choice: SessionChoice, _ wanted: FindingChoice,
    _ reader: HistoryReader
  ) throws {
    for session in sessions {
      guard let first = try wanted.findings(session, choice, reader).first else { continue }
      self.session = session
      (finding, controller) = first
      return
    }
    return nil
  }

  /// What writes the test.
  ///
  /// - Parameter right: the kind of controller whose order is right.
  func writer(
    _ reader: HistoryReader, _ engine: ReplayEngine, right: String,
    _ surroundings: TestWriter.Surroundings = TestWriter.Surroundings()
  ) throws -> TestWriter {
    try TestWriter(
      reader, session: session.id, about: finding, registry: engine.registry, right: right,
      surroundings)
  }

  /// The policies whose order may be right, by its discipline, the usual first.
  var rightKinds: [String] {
    switch controller.knownDiscipline {
    case .inOrder: ["queue", "latest", "immediate"]
    case .byUrgency: ["priority"]
    case .atOnce: ["immediate"]
    case .stack, .moves: []
    }
  }

  /// What makes its controller in a test.
  var maker: Maker { Maker(controller.policy) }

  /// What makes controllers of a kind in a test.
  enum Maker {
    /// Every registry.
    case everyRegistry
    /// The registry of the specimens.
    case specimens
    /// A registry of the app's own.
    case app

    init(_ kind: String) {
      if ControllerRegistry().contains(kind) {
        self = .everyRegistry
      } else {
        self = Specimens.all.contains { $0.name == kind } ? .specimens : .app
      }
    }
  }
}
