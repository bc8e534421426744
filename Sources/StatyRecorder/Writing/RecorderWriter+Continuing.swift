import Foundation
import StatyHistory

extension RecorderWriter {
  /// Goes on in a new session, so that what is old can be deleted while the app runs.
  ///
  /// Called when every number that was drawn is stored or lost, and best while nothing happens: a
  /// controller that is at work at that moment cannot be replayed in the new session.
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
        session, opening, drawn: Int64(settled), from: translator.point, time: time)
    else { return }
    self.translator?.goOn(in: next)
    wallClock = WallClockWatch(core.clock, began: translator.began(at: next.point), wall: wall)
    pruning.noteContinued()
    judging.noteStored()
  }
}
