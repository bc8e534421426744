import Chance
import Foundation
import Staty
import StatyHistory
import StatySQLite
import Testing

@testable import StatyRecorder

/// An app that is killed soon after each launch keeps its events, and its files stay small.
@Suite struct LaunchKillTests {
  @Test func `launches that are killed after ten events keep them all, in files of bounded size`()
    throws
  {
    let place = try Place()
    let launches = RecorderKillTests.kills(usual: 30)
    var openings: [Int] = []
    var most = 0
    for _ in 1...launches {
      let probe = try Probe(["crash", place.path], of: "RecorderProbe")
      #expect(probe.line() == "opening")
      openings.append(try #require(Int(probe.line())))
      probe.wait()
      // Two for the next launch to recover, and the launch's own; more where a launch's 50 ms of waiting were
      // not enough, because other tests use all cores.
      #expect(try place.rings().count <= 16)
      most = max(most, try bytes(in: place, but: "-ring"))
    }
    // A launch that is killed before it cuts the log leaves it longer by what it has stored.
    #expect(most < 2 * RecorderWriter.longLogBytes + launches * 2_048)
    var options = RecorderOptions()
    options.retention = Retention()
    try HistoryRecorder(at: place.path, options: options).close()
    #expect(
      try place.query(
        "SELECT count(*), ended, events, lost FROM sessions GROUP BY 2, 3, 4 ORDER BY 2")
        == ["1|clean|0|0", "\(launches)|killed|10|0"])
    #expect(try Set(place.unaccounted()) == ["0"])
    let (first, last) = (openings[0], openings[launches - 1])
    figure(
      """
      \(launches) launches that are killed after ten events, \(most / 1_000) KB at most besides rings; \
      opening took \(first) µs at first and \(last) µs at last, \(openings.max()!) µs at most
      """)
  }

  @Test func `a long log of killed launches is cut before their rings are recovered`() throws {
    let (before, place) = (try Place(), try Place())
    let writer = try HistoryWriter(path: before.path)
    let session = try writer.beginSession(
      SessionOpening(uuid: "a", app: "Shop", appVersion: "", os: "", pid: 1, wallTime: 1))
    var last: Int64 = 0
    while try size(of: before.path + "-wal") <= RecorderWriter.longLogBytes {
      last += 1
      let row = [EventRow(seq: last, time: last, kind: .mark)]
      _ = try row.withUnsafeBufferPointer { try writer.append($0, to: session, observed: last) }
    }
    // Closing it would remove the log.
    try withExtendedLifetime(writer) {
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: before.path + end, toPath: place.path + end)
      }
    }
    // As long as its process holds this ring, the launch waits for it and stores nothing, as one does that is killed.
    let ring = place.path + HistoryFile.oldRingMark + UUID().uuidString
    let sizes = RingOptions(lanes: 2, pieces: 2, records: 64, logBytes: 4_096)
    let held = try FlightRing(creatingAt: ring, session: .now(), options: sizes)
    defer { held.close(removingFile: true) }
    // The last connection that is closed would cut the log, too.
    let other = try Connection(path: place.path, mode: .readWrite)
    try other.execute("SELECT count(*) FROM session")
    let recorder = try SimulatedRecorder(at: place.path, life: 1, sizes, RecorderOptions())
    defer { recorder.abandon() }
    #expect(recorder.writer.turn()?.isStored == false)
    #expect(try size(of: place.path + "-wal") == 0)
    try other.close()
    #expect(try place.query("SELECT session, events FROM sessions") == ["1|\(last)"])
  }

  private func size(of path: String) throws -> Int {
    let found = try FileManager.default.attributesOfItem(atPath: path)[.size]
    return try #require(found as? Int)
  }

  private func bytes(in place: Place, but mark: String) throws -> Int {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
      .filter { !$0.contains(mark) }
    return names.reduce(0) { sum, name in
      var status = stat()
      return sum + (stat(place.directory + "/" + name, &status) == 0 ? Int(status.st_size) : 0)
    }
  }
}
