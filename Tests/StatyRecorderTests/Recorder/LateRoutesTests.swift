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

  @Test func `a request that was made anew and still waits needs no route from what is shown`()
    throws
  {
    final class Leaving: ScreenState {
      private(set) var visit: Visit?
      func enter(on target: Page, visit: Visit) { visit.entered() }
      func exit(from target: Page, visit: Visit) { self.visit = visit }
    }
    let routes = Routes<String>(states: ["a", "b"]) {
      Start {
        To("a")
        To("b")
      }
    }
    let (first, page) = (Leaving(), Page())
    let controller = RoutedController(routes: routes) { key, _ in key == "a" ? first : Leaving() }
    controller.states.bind(to: page)
    controller.show("a")
    controller.showAnew("b")
    let place = try Place()
    let recorder = try HistoryRecorder(at: place.path)
    recorder.attach(to: controller, as: "screen")
    first.visit?.exited()
    recorder.close()
    #expect(
      try place.query("SELECT reason, visit FROM history WHERE kind = 'stood' ORDER BY seq")
        == ["exiting|1", "waiting|2"])
    #expect(try place.query("SELECT state, outcome FROM visits") == ["a|exited", "b|open"])
    #expect(try place.query("SELECT code FROM violations") == [])
  }

  @Test func `its first recorded move comes from where it was`() throws {
    #expect(try found(before: [.signedIn], [.signedOut]) == [])
    #expect(try found(before: [.signedIn], [.signedOut, .signedIn]) == ["undeclared-transition"])
    #expect(try found(before: [], [.signedOut]) == ["undeclared-transition"])
    #expect(try found(before: [], [.signedIn, .signedOut]) == [])
  }
}
