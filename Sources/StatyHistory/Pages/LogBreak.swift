/// Where a log cannot be read on, though more of it was written since it was begun anew.
///
/// SQLite reads up to the first frame whose sum is wrong and says nothing, as it must: whoever loses power
/// while a log is written has such an end, and was told of nothing that is behind it. A bit that was flipped
/// in the middle looks the same, and takes all that was committed behind it.
package struct LogBreak: Equatable, Sendable {
  /// The frame with which it begins, from 1; 0 if it is the log's header.
  package var frame: Int
  /// How many transactions were committed in that frame and behind it.
  package var commits: Int
}

extension HistoryFile {
  /// Where the log beside a history breaks off before its end; none if it does not.
  ///
  /// - Parameter path: of a file that nobody is writing to.
  package static func logBreak(of path: String) -> LogBreak? {
    (try? PageSource(path))?.logBreak
  }
}
