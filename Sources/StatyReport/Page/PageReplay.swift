/// What a replay of a session gave, in words, as a page shows it.
package struct PageReplay: Sendable {
  /// A place where the replay did something else.
  package struct Divergence: Sendable {
    /// The number of the event.
    var seq: Int64
    /// When, in microseconds since the session began.
    var time: Int64
    /// The name of the controller.
    var controller: String
    /// What is recorded.
    var recorded: String
    /// What the replay did.
    var replayed: String
    /// What the matter is.
    var sentence: String
    /// Who was on the stage.
    var stage: String
    /// Who waited.
    var waiting: String
    /// The numbers of the events that led to it.
    var causes: [Int64]

    /// A divergence with these parts.
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
  /// How many there are.
  var count: Int
  /// Why it may not be relied on.
  var doubts: [String]

  /// A replay that gave this.
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
  /// It as JSON.
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
