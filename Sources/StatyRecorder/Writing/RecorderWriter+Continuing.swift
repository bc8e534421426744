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
    let (wall, events) = core.clock.both()
    let time = translator.time(at: events)
    let opening = SessionOpening(
      uuid: UUID().uuidString.lowercased(), app: session.app, appVersion: session.appVersion,
      os: session.os, pid: session.pid, wallTime: wall)
    guard
      let next = try writer.continue(
        session, opening, drawn: Int64(accountedThrough), from: translator.point, time: time)
    else { return }
    self.translator?.continue(in: next)
    wallClock = WallClockWatch(core.clock, began: translator.began(at: next.point), wall: wall)
    pruning.noteContinued()
    judging.noteStored()
  }
}
