import Foundation
import StatyRecorder
import Testing

/// A history that is removed or replaced while it is recorded into.
@Suite struct RemovedHistoryTests {
  private let place: Place

  init() throws {
    place = try Place()
  }

  @Test func `when the file was removed, a new history goes on`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.flush()
    try FileManager.default.removeItem(atPath: place.path)
    recorder.mark("after")
    try recorder.flush(.durable)
    // Nothing can be read of what was stored before.
    #expect(recorder.statistics.stored == 1 && recorder.statistics.lost == 1)
    recorder.mark("later")
    recorder.close()
    #expect(recorder.statistics.stored == 2 && recorder.statistics.lost == 1)
    #expect(try place.query("SELECT note FROM detail ORDER BY seq") == ["after", "later"])
    #expect(try place.query("SELECT ended, events, lost FROM sessions") == ["clean|2|1"])
    #expect(try place.query("SELECT reason FROM losses") == ["removed"])
    #expect(try place.unaccounted() == ["0"])
  }

  @Test func `when it was removed during suspension, a new history goes on`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.suspend()
    try FileManager.default.removeItem(atPath: place.path)
    recorder.mark("meanwhile")
    recorder.resume()
    try recorder.flush()
    #expect(recorder.statistics.stored == 1 && recorder.statistics.lost == 1)
    recorder.close()
    #expect(try place.query("SELECT note FROM detail") == ["meanwhile"])
    #expect(try place.query("SELECT ended, events, lost FROM sessions") == ["clean|1|1"])
  }

  @Test(arguments: [false, true])
  func `the session of another history in its place is not continued`(isSuspended: Bool) throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    if isSuspended { try recorder.suspend() } else { try recorder.flush() }
    // Its session has the same number.
    let other = try Place()
    let first = try HistoryRecorder(at: other.path)
    first.mark("other")
    first.close()
    #expect(rename(other.path, place.path) == 0)
    recorder.mark("after")
    recorder.resume()
    try recorder.flush()
    recorder.close()
    #expect(try place.query("SELECT note FROM detail ORDER BY seq") == ["other", "after"])
    #expect(
      try place.query("SELECT ended, events, lost FROM sessions ORDER BY session")
        == ["clean|1|0", "clean|1|1"])
    #expect(try place.unaccounted() == ["0", "0"])
    #expect(try place.firstDamage(session: 2) == nil)
  }

  @Test func `an older copy in its place gets a second session of the process`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    let copy = place.directory + "/copy.sqlite"
    try recorder.share(to: copy)
    recorder.mark("not in the copy")
    try recorder.flush()
    #expect(rename(copy, place.path) == 0)
    recorder.mark("after")
    try recorder.flush()
    recorder.close()
    #expect(
      try place.query("SELECT ended, events, lost FROM sessions ORDER BY session")
        == ["killed|1|0", "clean|1|2"])
    #expect(try place.unaccounted() == ["0", "0"])
    #expect(try place.query("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `another file in its place is renamed unchanged`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.flush()
    let another = place.directory + "/another"
    try Data("another".utf8).write(to: URL(fileURLWithPath: another))
    #expect(rename(another, place.path) == 0)
    recorder.mark("after")
    try recorder.flush()
    let renamed = try #require(recorder.damagedHistory)
    #expect(try Data(contentsOf: URL(fileURLWithPath: renamed)) == Data("another".utf8))
    recorder.close()
    #expect(try place.query("SELECT events, lost FROM sessions") == ["1|1"])
  }

  @Test func `a flush fails if the directory is gone, too`() throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("before")
    try recorder.flush()
    let gone = place.directory + "-gone"
    #expect(rename(place.directory, gone) == 0)
    defer { try? FileManager.default.removeItem(atPath: gone) }
    recorder.mark("after")
    #expect(throws: RecorderError.self) { try recorder.flush() }
    #expect(recorder.statistics.stored == 0 && recorder.statistics.lost == 1)
    #expect(recorder.statistics.queued == 1)
    recorder.close()
  }
}
