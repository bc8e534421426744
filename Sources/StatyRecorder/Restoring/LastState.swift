public import Foundation
public import StatyHistory

/// The state in which a controller was when an earlier session ended.
public struct LastState: Hashable, Sendable {
  /// The state's name.
  public let state: String
  /// The state's payload as it is stored: the text itself if the state left it open,
  /// `hash:` and digits or `omitted` if not; `nil` if there is none, or if it was
  /// left out for want of room.
  public let payload: String?
  /// Whether the state was in when recording ended, or had left before.
  public let wasIn: Bool
  /// Since when it was in or, if it had left, when that was.
  public let at: Date
  /// The session, as its `uuid` says.
  public let session: String
  /// How the session ended.
  public let ended: SessionEnd
}

extension HistoryRecorder {
  /// The last state of the controller that was recorded under a name, in the most recent earlier
  /// session that knows of one; `nil` if there is none.
  ///
  /// For apps that restore the screen on which they were: call it once, right after you made the recorder. It
  /// reads a few rows, and the ring of a process that was killed, whether or not that is imported yet.
  ///
  /// The last state is the one that had entered and had not exited when the session ended; of several, the one
  /// that entered last; if there was none, the one that exited last. If several controllers of a session had the
  /// name, the one that showed a state last counts. States of sessions that were deleted are not known. What
  /// cannot be read is ignored.
  ///
  /// You can call it at any later time, too: the session that records now is ignored. With
  /// ``RecorderOptions/isExclusive`` the call waits until the recorder's own thread has opened the file, for a
  /// second at most.
  public func lastState(of controller: String) -> LastState? {
    let lookup = LastStateLookup(
      controller: controller, current: core.ring.session.uuid, path: path)
    if !core.options.isExclusive {
      do {
        return try lookup.find()
      } catch {
        guard lookup.isWorthAsking(after: error) else { return nil }
      }
    }
    let answer = LastStateAnswer(lookup)
    guard
      (try? ask("looking up the last state", .seconds(1)) { $0.questions.append(answer) }) != nil
    else { return nil }
    return answer.found
  }
}
