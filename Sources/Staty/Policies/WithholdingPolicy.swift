extension TransitionPolicy {
  /// The same policy, in which no visit enters until the signal ``Signal/resumed``.
  var withholding: Self {
    var snapshot = self.snapshot
    snapshot.isWithholding = true
    return Self(restoring: snapshot)
  }
}
