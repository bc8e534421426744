/// What was read of one state of a file, so that it is not read again for each of its sessions.
///
/// It lasts as long as nothing can have changed: while something runs in
/// ``HistoryReader/consistently(_:)``.
struct SteadyState {
  var names: [Int32: String]?
  var sites: [Int32: SiteRecord]?
  /// Those of names and sites alone.
  var hashes: ContentHashes?
  /// The session that was asked for last.
  var session: SessionRecord?
}
