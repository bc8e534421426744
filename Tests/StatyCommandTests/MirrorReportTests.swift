import Foundation
import Staty
import StatyRecorder
import Testing

/// How tracks that should show the same, and notes, are told.
@Suite struct MirrorReportTests {
  private enum Screen: Hashable { case list, detail }

  /// A path of which the screens show less, and searches that cross.
  private func record(at path: String, clock: ManualClock, notes: Int) throws {
    let recorder = try HistoryRecorder(at: path)
    let path = StackTrack("path", elapsed: { clock.now })
    let shown = StackTrack("shown", elapsed: { clock.now })
    path.mirrors(shown)
    recorder.attach(to: path, as: "path")
    recorder.attach(to: shown, as: "shown")
    path.received("open") { path.moved(to: [Screen.list]) }
    shown.moved(to: [Screen.list])
    path.received("open") { path.moved(to: [Screen.list, .detail]) }
    let search = StateTrack("search", Screen.list, elapsed: { clock.now })
    recorder.attach(to: search, as: "search")
    for _ in 0..<4 {
      clock.advance(by: .milliseconds(400))
      search.received("tick") {}
    }
    let questions = (0...notes).map { _ in search.received("asked") { MessageOrigin.current } }
    for question in questions { search.received("found", answering: question) {} }
    recorder.close()
  }

  @Test func `a difference is told with both tracks, and notes in short`() throws {
    let place = try Place()
    try record(at: place.path(), clock: ManualClock(), notes: 5)
    let run = try Binary(["check", place.path()], in: place.directory)
    #expect(run.status == 0)
    for part in [
      "warning[mirror]: 'path' showed #2 (detail) and its mirror 'shown' #1 (list), 2\nelements against 1",
      "both tracks until then", "shown  moved (push)  #1 list", "note[asked-twice]: search, event",
      "2 more notes; '--oneline' lists all.", "0 errors, 1 warning, 5 notes in 1 session",
    ] {
      #expect(run.out.contains(part), "\(part) \(run.out)")
    }
    let strict = try Binary(
      ["check", "--strict", "--without", "mirror", place.path()], in: place.directory)
    #expect(
      strict.status == 0 && strict.out.contains("No rule is broken, 5 notes"), "\(strict.out)")
    let lines = try Binary(["check", "--oneline", place.path()], in: place.directory).out
    #expect(lines.split(separator: "\n").filter { $0.contains("note[asked-twice]") }.count == 5)
  }
}
