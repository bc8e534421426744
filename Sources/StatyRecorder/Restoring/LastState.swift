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
  /// Meant for apps that open where they were: one call right after the recorder was made, which
  /// reads a few rows and what a killed process has left in its ring, whether or not that has been
  /// brought into the file yet.
  ///
  /// The last state is the one that was in when the session ended, which had entered and had not
  /// left; of several, the one that entered last; if none was in, the one that left last. If two
  /// controllers of one session had the name, the one attached last counts. States that nobody
  /// recorded entering are not known, nor are those of sessions that are not kept any more. Anything
  /// unreadable is as if it were not there.
  ///
  /// Call it when the recorder is new or at any later time: the session that records now is left
  /// out. With ``RecorderOptions/isExclusive`` the call waits until the recorder's own thread has
  /// opened the file, a second at most.
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
    guard (try? ask("looking up the last state", .seconds(1)) { $0.lookups.append(answer) }) != nil
    else { return nil }
    return answer.found
  }
}
