import StatyRules

/// What the rules find in a run.
struct Judgement {
  /// The wanted rules that are broken.
  var codes: Set<RuleCode> = []
  /// Whether any error is certain in it, wanted or not.
  var isFaulty = false
  /// Whether it could be played at all.
  var isPlayed = true
}
