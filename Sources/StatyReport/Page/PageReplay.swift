/// The result of a replay of a session, in words, for a page.
package struct PageReplay: Sendable {
  /// A place where the replay diverged.
  package struct Divergence: Sendable {
    /// The number of the event.
    var seq: Int64
    /// The time, in microseconds since the session began.
    var time: Int64
    /// The name of the controller.
    var controller: String
    /// The recorded output.
    var recorded: String
    /// The output of the replay.
    var replayed: String
    /// The description of the difference.
    var sentence: String
    /// The visits that were shown.
    var stage: String
    /// The visits that were pending.
    var waiting: String
    /// The numbers of the causes.
    var causes: [Int64]

    /// Creates a divergence.
    package init(
      seq: Int64, time: Int64, controller: String, recorded: String, replayed: String,
      sentence: String, stage: String, waiting: String, causes: [Int64]
    ) {
      self.seq = seq
      self.time = time
      self.controller = controller
      self.recorded = recorded
      self.replayed = replayed
      self.sentence = sentence
      self.stage = stage
      self.waiting = waiting
      self.causes = causes
    }
  }

  /// Reproduced, diverged or inconclusive.
  var verdict: String
  /// The verdict in words.
  var sentence: String
  /// The first divergences.
  var divergences: [Divergence]
  /// The number of divergences.
  var count: Int
  /// The reasons why the result may be wrong.
  var doubts: [String]

  /// Creates the result of a replay.
  package init(
    verdict: String, sentence: String, divergences: [Divergence], count: Int, doubts: [String]
  ) {
    self.verdict = verdict
    self.sentence = sentence
    self.divergences = divergences
    self.count = count
    self.doubts = doubts
  }
}

extension PageReplay {
  /// The result as JSON.
  var json: String {
    let divergences = divergences.map(\.json).joined(separator: ",")
    return
      "{\"verdict\":\(EmbeddedJSON.quoted(verdict)),\"sentence\":\(EmbeddedJSON.quoted(sentence)),"
      + "\"count\":\(count),\"doubts\":\(EmbeddedJSON.list(doubts)),\"divergences\":[\(divergences)]}"
  }
}

extension PageReplay.Divergence {
  fileprivate var json: String {
    let texts: KeyValuePairs = [
      "controller": controller, "recorded": recorded, "replayed": replayed, "sentence": sentence,
      "stage": stage, "waiting": waiting,
    ]
    let parts = texts.map { "\"\($0)\":\(EmbeddedJSON.quoted($1))" }.joined(separator: ",")
    return "{\"seq\":\(seq),\"time\":\(time),\(parts),\"causes\":\(causes)}"
  }
}
