extension TransitionPolicy {
  /// The same policy, holding enters back until it is told that the target is there.
  var withholding: Self {
    var snapshot = self.snapshot
    snapshot.isWithholding = true
    return Self(restoring: snapshot)
  }
}
