import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// A track with routes that moves before anything records it.
@Suite struct LateRoutesTests {
  private enum Session: StateKey, CaseIterable { case restoring, signedIn, signedOut }

  private static var routes: Routes<Session> {
    Routes {
      Start { To(.restoring) }
      From(.restoring) { To(.signedIn) }
      From(.signedIn) { To(.signedOut) }
    }
  }

  /// The findings of what is recorded of moves, the first of which come before the recorder.
  private func found(before: [Session], _ moves: [Session]) throws -> [String] {
    let place = try Place()
    let track = StateTrack("session", .restoring, routes: Self.routes)
    // Other tests record all tracks of the process.
    TrackDoor.shut { for state in before { track.moved(to: state) } }
    let recorder = try HistoryRecorder(at: place.path)
    recorder.attach(to: track, as: "session")
    for state in moves { track.moved(to: state) }
    recorder.close()
    let reader = try HistoryReader(path: place.path)
    return try HistoryCheck(reader).session(1).findings.map(\.code.rawValue)
  }

  @Test func `where it begins is known only if it says so`() throws {
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    let track = StateTrack("session", routes: Self.routes)
    recorder.attach(to: track, as: "session")
    for state in [Session.signedIn, .signedOut, .restoring] { track.moved(to: state) }
    recorder.close()
    let found = try HistoryCheck(HistoryReader(path: place.path)).session(1).findings
    #expect(found.map(\.code) == [.undeclaredTransition])
  }

  @Test func `its first recorded move comes from where it was`() throws {
    #expect(try found(before: [.signedIn], [.signedOut]) == [])
    #expect(try found(before: [.signedIn], [.signedOut, .signedIn]) == ["undeclared-transition"])
    #expect(try found(before: [], [.signedOut]) == ["undeclared-transition"])
    #expect(try found(before: [], [.signedIn, .signedOut]) == [])
  }
}
