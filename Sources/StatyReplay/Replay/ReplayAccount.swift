/// What a replay has told and decided so far: policies and classes write into the same account.
final class ReplayAccount {
  // Unchecked: used by one replay, and no access lasts while an app's code runs.
  @exclusivity(unchecked) var result = ReplayResult()
  @exclusivity(unchecked) var digest = ReplayDigest()

  /// Ends the account.
  func close() -> ReplayResult {
    result.finish(digest)
    return result
  }
}
