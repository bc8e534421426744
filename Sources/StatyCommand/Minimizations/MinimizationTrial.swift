import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules

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

  /// - Parameters:
  ///   - path: the file that was written.
  ///   - finding: what was kept in it.
  init(_ path: String, keeping finding: Finding, _ run: ToolRun) throws {
    let history = try OpenHistory(path)
    let engine = run.engine
    (replay, test) = try history.doing("Trying") { reader in
      (try Self.replay(reader, engine), try Self.test(of: finding, reader, engine))
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
  private static func test(
    of finding: Finding, _ reader: HistoryReader, _ engine: ReplayEngine
  ) throws -> TestAdvice {
    guard let (subject, words) = try subject(finding, reader) else {
      return .refused("a test is of errors, and this is a warning.")
    }
    var refusal: TestWriterError?
    let kinds = subject.rightKinds
    for kind in kinds {
      do {
        _ = try subject.writer(reader, engine, right: kind)
        let right = kind == kinds[0] ? [] : ["--with", kind]
        let own = ["--registry", ".own", "--import", "OwnModule"]
        return .words(words + right + (subject.maker == .app ? own : []))
      } catch let error as TestWriterError {
        refusal = refusal ?? error
        guard case .notRight = error else { break }
      }
    }
    return .refused(
      refusal.map(reason) ?? "no policy has its discipline; name a right kind with 'test --with'.")
  }

  /// What a test of the finding is written of, and the words that say so where it is not the first.
  private static func subject(
    _ finding: Finding, _ reader: HistoryReader
  ) throws -> (TestSubject, words: [String])? {
    guard finding.severity == .error else { return nil }
    let code = finding.code
    let choices: [(FindingChoice, [String])] = [
      (.firstError, []),
      (FindingChoice(codes: [code]), ["--rule", code.rawValue]),
      (
        FindingChoice(codes: [code], seq: finding.seq),
        ["--rule", code.rawValue, "--finding", "\(finding.seq)"]
      ),
    ]
    let sessions = try reader.sessions()
    for (choice, words) in choices {
      guard let subject = try TestSubject(sessions, .all, choice, reader) else { continue }
      let found = subject.finding
      if (found.code, found.seq, found.visit) == (code, finding.seq, finding.visit) {
        return (subject, words)
      }
    }
    return nil
  }

  private static func reason(_ refusal: TestWriterError) -> String {
    switch refusal {
    case .notReproduced(.neverArrived), .notReproduced(.neverExited):
      "a state that keeps silent is no fault of its controller."
    default: refusal.description
    }
  }
}
