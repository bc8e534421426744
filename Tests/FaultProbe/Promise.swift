/// What an app was told about its events.
struct Promise: Sendable {
  /// How many events of a session were said to be safe, and how many before them to be lost.
  struct Share: Sendable {
    var observed: Int64
    var lost: Int64
    /// Whether a later session was told to keep the file small, and may have removed this one.
    var mayBeRemoved = false
  }

  /// By the name that each session's app goes by.
  var sessions: [String: Share] = [:]
}
