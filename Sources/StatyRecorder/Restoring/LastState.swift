public import Foundation
public import StatyHistory

/// The last state of a controller in an earlier session.
public struct LastState: Hashable, Sendable {
  /// The state's name.
  public let state: String
  /// The state's payload as it is stored: its text, `hash:` and digits, or `omitted`; `nil` if there is none or
  /// it was left out because there was little room.
  public let payload: String?
  /// Whether the state was still shown when the session ended; false if it had exited before, or the recording of
  /// its controller had ended.
  public let wasShown: Bool
  /// The time at which it entered or, if it had exited, the time at which it exited.
  public let at: Date
  /// The session's `uuid`.
  public let session: String
  /// How the session ended.
  public let ended: SessionEnd
}

extension HistoryRecorder {
  /// Returns the last state of the controller with this name, from the latest earlier session that has one;
  /// `nil` if there is none.
  ///
  /// Use it to restore the screen at launch: call it once, right after you create the recorder. It reads a few
  /// rows of the file, and the rings of killed processes that are not recovered yet.
  ///
  /// The last state is the one that was shown when the session ended. If several were shown, it is the one that
  /// entered last; if none was, the one that exited last. If several controllers of a session have the name, the
  /// one that showed a state last counts. Deleted sessions and unreadable files are ignored.
  ///
  /// You can also call it later, because the current session is ignored. With ``RecorderOptions/isExclusive``,
  /// the call waits until the recorder's own thread has opened the file, for one second at most.
  public func lastState(of controller: String) -> LastState? {
    let lookup = LastStateLookup(
      controller: controller, current: core.ring.session.uuid, path: path)
    if !core.options.isExclusive {
      do {
        return try lookup.find()
      } catch {
        guard lookup.canWriterHelp(after: error) else { return nil }
      }
    }
    let question = WriterQuestion { try lookup.find(through: $0) }
    do {
      try ask("looking up the last state", .seconds(1)) { $0.questions.append(question.look) }
    } catch {
      return nil
    }
    return question.answer
  }
}
