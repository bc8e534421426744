import StatyHistory
import StatyReplay

// A session that was replayed as it was.
extension SessionReplay {
  static var verdicts: [String] {
    [ReplayResult.Verdict.reproduced, .diverged, .inconclusive].map(\.rawValue)
  }

  var verdictName: String { verdict.rawValue }

  func explanation(width: Int, style: Style) throws -> String {
    try ReplayExplanation(self, width: width, style: style).text
  }

  var json: JSONValue { get throws { try ReplayJSON.value(self) } }

  var what: String {
    get throws { try replayed + (whatIf.map { "; what if: \($0.verdictName)" } ?? "") }
  }

  private var replayed: String {
    get throws {
      if let disagreement { return disagreement.sentence }
      let events = try EventWords(history.reader, session: session.id)
      var words = ReplayWords(events)
      if let first = leading {
        words.learn(try surroundings(of: first.seq))
        words.learn(first)
        return "at event \(first.seq) (\(Decimal.moment(first.time))), "
          + "\(events.controller(first.controller)): \(words.sentence(first))"
      }
      if let doubt = result.doubts.first {
        return DoubtWords(doubt).sentence(events, known: plan.engine.names)
      }
      if let unreached = result.unreached.first {
        return "event \(unreached) happened in something that is not recorded"
      }
      let made = Decimal.count(result.matched, "decision") + " made again"
      let found = findings.count
      return found == 0 ? made : "\(made), with \(Decimal.count(found, "finding"))"
    }
  }
}
