import Chance
import Foundation
import StatyRecorder
import Testing

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
      most = max(most, try bytes(in: place))
    }
    #expect(most < 24 << 20)
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
      \(launches) launches that are killed after ten events, \(most / 1_000) KB at most; \
      opening took \(first) µs at first and \(last) µs at last, \(openings.max()!) µs at most
      """)
  }

  private func bytes(in place: Place) throws -> Int {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    return names.reduce(0) { sum, name in
      var status = stat()
      return sum + (stat(place.directory + "/" + name, &status) == 0 ? Int(status.st_size) : 0)
    }
  }
}
