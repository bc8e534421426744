import Foundation
import StatyHistory

extension RecorderWriter {
  /// Continues in a new session, so that the old one can be deleted while the app runs.
  ///
  /// Call it when every number is stored or lost, and preferably while the app is idle: a controller that is
  /// in a transition cannot be replayed in the new session.
  func continueSession(_ writer: HistoryWriter, _ translator: RingTranslator) throws {
    guard let session = try writer.sessions().first(where: { $0.id == translator.session }) else {
      return
    }
    // The last number up to which each is stored or recorded as lost. If an event behind it is stored, the next
    // session cannot begin here.
    let through = writer.following(of: session.id).map {
      UInt64(clamping: $0.next &- 1 &- translator.point.shift)
    }
    guard let through, through >= max(account.through, highestStored) else { return }
    account.settle(through: through)
    let (wall, events) = core.clock.both()
    let time = translator.time(at: events)
    let opening = SessionOpening(
      uuid: UUID().uuidString.lowercased(), app: session.app, appVersion: session.appVersion,
      os: session.os, pid: session.pid, wallTime: wall)
    guard
      let next = try writer.continue(
        session, opening, drawn: Int64(account.through), from: translator.point, time: time,
        isUrgent: pruning.isUrgent)
    else { return }
    self.translator?.continue(in: next)
    wallClock = WallClockWatch(core.clock, began: translator.began(at: next.point), wall: wall)
    pruning.noteContinued()
    judging.noteStored()
  }
}
