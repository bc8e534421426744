import StatyGallery
import StatyRules

/// What Staty is known to say of a bug of the gallery.
struct BugVerdict: Sendable, CustomStringConvertible {
  let bug: KnownBug
  /// Whether another order ends in another way, with nothing declared.
  var isByOutcome = true
  /// The rule that another order breaks, too.
  var rule: RuleCode?
  /// What a check of the reported order finds, and what it notes; one of them is enough.
  var found: [RuleCode] = []
  var noted: [RuleCode] = []

  var description: String { bug.name }

  static let all = [
    BugVerdict(bug: .signOut, found: [.lateAnswer]),
    BugVerdict(bug: .deepLink, found: [.lateAnswer]),
    BugVerdict(bug: .pause, noted: [.lateAnswer]),
    BugVerdict(bug: .progressHUD, noted: [.lateAnswer]),
    BugVerdict(bug: .twoAlerts, isByOutcome: false, rule: .invariant, found: [.mirror]),
    BugVerdict(bug: .twoPushes, found: [.mirror]),
    BugVerdict(bug: .doublePop, isByOutcome: false, rule: .invariant, found: [.mirror]),
    BugVerdict(bug: .presentation, rule: .doubleExit, found: [.doubleExit]),
    BugVerdict(bug: .banners, rule: .neverEntered, found: [.neverEntered]),
    BugVerdict(bug: .purchases, isByOutcome: false, rule: .overlap, found: [.overlap]),
  ]
}
