import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules
import StatySpecimens

/// The session and controller that a test is generated from.
///
/// Generating a test and suggesting one both use it.
struct TestSubject {
  let session: SessionRecord
  let controller: ControllerRecord
  let finding: Finding

  /// None if there is no selected finding.
  init?(
    _ sessions: [SessionRecord], _ choice: SessionChoice, _ wanted: FindingChoice,
    _ reader: HistoryReader, _ registry: ControllerRegistry
  ) throws {
    for session in sessions {
      let found = try wanted.findings(session, choice, reader, registry)
      guard let first = found.first else { continue }
      self.session = session
      (finding, controller) = first
      return
    }
    return nil
  }

  /// The writer of the test.
  ///
  /// - Parameter right: the kind of controller with the right order; `nil` if there is none.
  func writer(
    _ reader: HistoryReader, _ registry: ControllerRegistry, right: String?,
    _ surroundings: TestWriter.Surroundings = TestWriter.Surroundings()
  ) throws -> TestWriter {
    try TestWriter(
      reader, session: session.id, about: finding, registry: registry, right: right,
      surroundings)
  }

  /// What makes its controller in a test.
  var maker: Maker { Maker(of: controller.kind) }

  /// What makes controllers of a kind in a test.
  enum Maker {
    /// Every registry.
    case everyRegistry
    /// The registry of the specimens.
    case specimens
    /// A registry of the app's own.
    case app

    init(of kind: String) {
      if ControllerRegistry().contains(kind) {
        self = .everyRegistry
      } else {
        self = Specimens.all.contains { $0.name == kind } ? .specimens : .app
      }
    }

    /// What the command line that generates a test has to say, too.
    var words: [String] { self == .app ? ["--registry", ".own", "--import", "OwnModule"] : [] }

    /// What these words stand for, in parentheses.
    var note: String {
      self == .app
        ? " ('.own' stands for the registry that makes it, 'OwnModule' for the module that has it)"
        : ""
    }
  }
}
