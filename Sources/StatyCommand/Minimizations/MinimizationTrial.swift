import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules
import StatySpecimens

/// What can be done with a history that was made smaller: tried with the file that was written, so that
/// nothing is advised that would be refused.
struct MinimizationTrial {
  /// Why a replay of it does not end with `reproduced`, in sentences; none if it does.
  let replay: [String]
  /// How a test of it is written, if it can be.
  let test: TestAdvice

  /// How a test is written of a history.
  enum TestAdvice: Equatable {
    /// With these words, before the file.
    case words([String])
    /// Not at all, for this reason.
    case refused(String)
  }

  /// - Parameter path: the file that was written.
  init(_ path: String, _ run: ToolRun) throws {
    let history = try OpenHistory(path)
    let engine = run.engine
    (replay, test) = try history.doing("Trying") { reader in
      (try Self.replay(reader, engine), try Self.test(reader, engine))
    }
  }
}

// MARK: Replay

extension MinimizationTrial {
  private static func replay(_ reader: HistoryReader, _ engine: ReplayEngine) throws -> [String] {
    guard let session = try reader.sessions().first else { return [] }
    let controllers = try reader.controllers(session: session.id)
    let result = try engine.replay(
      session, reader, through: nil, with: .none, about: Set(controllers.map(\.id)))
    switch result.verdict {
    case .reproduced: return []
    case .diverged: return ["The subcommand 'replay' says where."]
    case .inconclusive:
      let events = try EventWords(reader, session: session.id)
      return result.doubts.prefix(3).map {
        DoubtWords($0).sentence(events, known: engine.names)
      }
    }
  }
}

// MARK: Test

extension MinimizationTrial {
  /// The kinds of controller whose order is tried, the usual first.
  private static let rightKinds = ["queue", "latest", "immediate"]

  private static func test(_ reader: HistoryReader, _ engine: ReplayEngine) throws -> TestAdvice {
    let sessions = try reader.sessions()
    guard let guilty = try GuiltyController(sessions, .all, reader) else {
      return .refused("a test is of errors, and this is a warning.")
    }
    var refusal: TestWriterError?
    for kind in rightKinds {
      do {
        _ = try engine.testWriter(
          reader, session: guilty.session.id, controller: guilty.controller.id, right: kind,
          TestWriter.Surroundings())
        return .words(words(kind, guilty.controller.policy))
      } catch let error as TestWriterError {
        refusal = refusal ?? error
        guard case .notRight = error else { break }
      }
    }
    return .refused(refusal.map(reason) ?? "")
  }

  private static func reason(_ refusal: TestWriterError) -> String {
    switch refusal {
    case .notReproduced(.neverArrived), .notReproduced(.neverExited):
      "a state that keeps silent is no fault of its controller."
    default: refusal.description
    }
  }

  private static func words(_ right: String, _ kind: String) -> [String] {
    var words = right == rightKinds[0] ? [] : ["--with", right]
    let isKnown =
      ControllerRegistry().contains(kind) || Specimens.all.contains { $0.name == kind }
    if !isKnown { words += ["--registry", ".own"] }
    return words
  }
}
