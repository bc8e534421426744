import Chance
import Foundation
import StatyHistory
import StatyReading
import Testing

/// Files of every schema version with one page destroyed: each page in turn in `.ci/nightly`, every third
/// otherwise.
@Suite struct SalvagedSchemaTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden").path
  static let versions = (1...HistoryFile.schemaVersion).map { "v\($0)" }

  private func salvaged(_ bytes: [UInt8]) throws -> (Told, SalvageReport) {
    let place = try TemporaryHistory()
    try Data(bytes).write(to: URL(fileURLWithPath: place.path))
    let target = place.directory + "/out.sqlite"
    let writer = try HistoryWriter(path: target)
    let report = try HistorySalvage(place.path).write(into: writer)
    try writer.close()
    return (try Told(target), report)
  }

  @Test(arguments: versions)
  func `a whole file of any schema gives all its events`(_ version: String) throws {
    let path = Self.folder + "/\(version).sqlite"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let original = try Told(path)
    let (found, report) = try salvaged(bytes)
    #expect(found.invented(beside: original, report) == [])
    #expect(found.events == original.events && report.lostPages == 0)
    #expect(report.sessions.allSatisfy { $0.isVouched } && report.isWhole)
  }

  @Test(arguments: versions)
  func `of a file of any schema without a page nothing is invented`(_ version: String) throws {
    let path = Self.folder + "/\(version).sqlite"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let original = try Told(path)
    var events = 0
    for page in stride(from: version.count % 6, to: bytes.count / 4_096, by: sweep > 1 ? 1 : 6) {
      var damaged = bytes
      for place in page * 4_096..<(page + 1) * 4_096 { damaged[place] = 0 }
      let (found, report) = try salvaged(damaged)
      #expect(found.invented(beside: original, report) == [], "page \(page + 1)")
      events += found.events.count
    }
    #expect(events > original.events.count)
  }
}
