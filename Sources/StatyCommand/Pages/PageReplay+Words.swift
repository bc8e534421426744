import StatyHistory
import StatyReplay
import StatyReport

extension PageReplay {
  private static let most = 20

  /// What a page says of a replayed session: its verdict, and where it went another way, the place that
  /// matters most first.
  init(_ replay: SessionReplay) throws {
    let events = try EventWords(replay.history.reader, session: replay.session.id)
    var words = ReplayWords(events)
    let told = replay.told.prefix(Self.most)
    for divergence in told {
      words.learn(try replay.surroundings(of: divergence.seq))
      words.learn(divergence)
    }
    self.init(
      verdict: replay.verdict.rawValue, sentence: try replay.what + ".",
      divergences: try told.map { try Divergence($0, of: replay, words) },
      count: replay.result.divergenceCount,
      doubts: replay.result.doubts.prefix(Self.most).map {
        DoubtWords($0).sentence(events, known: replay.plan.engine.names)
      })
  }
}

extension PageReplay.Divergence {
  fileprivate init(
    _ divergence: StatyReplay.Divergence, of replay: SessionReplay, _ words: ReplayWords
  ) throws {
    let sides = words.sides(divergence)
    self.init(
      seq: divergence.seq, time: divergence.time,
      controller: words.events.controller(divergence.controller), recorded: sides.recorded,
      replayed: sides.replayed, sentence: words.sentence(divergence),
      stage: words.stage(divergence), waiting: words.waiting(divergence),
      causes: try replay.causes(of: divergence.seq).map(\.seq))
  }
}
