import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatyRules

/// Whether the rates stay the same when a history grows: recording, checking, replaying and
/// exporting 1 to 100 million events.
enum ScaleBench {
  static let argument = "--events"
  private static let lengths = [1_000_000, 10_000_000, 100_000_000]

  /// - Parameters:
  ///   - wanted: the requested figures.
  ///   - events: the length to measure; by default all lengths.
  static func run(_ wanted: Wanted, events: Int?) -> [Figure] {
    var figures: [Figure] = []
    var first: [String: Double] = [:]
    for length in events.map({ [$0] }) ?? lengths {
      let name = label(length)
      let rates = measure(length)
      for (stage, rate) in rates {
        figures.append(
          Figure("\(stage)_events_per_s_\(name)", rate, "\(name) events, one session in one file"))
        guard let small = first[stage] else {
          first[stage] = rate
          continue
        }
        figures.append(
          Figure("\(stage)_\(name)_vs_\(label(lengths[0]))", rate / small, "at least 0.8"))
      }
      figures.append(
        Figure("peak_rss_mb_\(name)", peakMegabytes(), "of this process, up to here"))
    }
    return wanted.pick(figures)
  }

  private static func label(_ length: Int) -> String {
    length.isMultiple(of: 1_000_000) ? "\(length / 1_000_000)m" : "\(length)"
  }

  private static func measure(_ length: Int) -> [(String, Double)] {
    let path = BenchFolder.path("scale.sqlite")
    BenchFolder.removeHistory(at: path)
    defer { BenchFolder.removeHistory(at: path) }
    var stored = 0
    let recorded = nanoseconds(per: 1) { stored = record(length, at: path) }
    func rate(_ taken: Double) -> Double { Double(stored) * 1e9 / taken }
    return [
      ("record", rate(recorded)),
      ("check", rate(nanoseconds(per: 1) { check(path) })),
      ("replay", rate(nanoseconds(per: 1) { replay(path) })),
      ("export", rate(nanoseconds(per: 1) { export(path, stored) })),
    ]
  }
}

// MARK: The stages

extension ScaleBench {
  /// Records as fast as the ring allows without a loss, and returns the number of events.
  private static func record(_ length: Int, at path: String) -> Int {
    let recorder = try! HistoryRecorder(at: path, options: .keepingAll)
    let screen = Screen()
    let controller = StateController<Screen>(policy: .queue)
    recorder.attach(to: controller, as: "checkout")
    controller.bind(to: screen)
    let states = (0..<4).map { _ in Instant() }
    for round in 0..<length / 5 {
      controller.transition(to: states[round & 3])
      if round & 1_023 == 0 {
        while recorder.statistics.queued > 20_000 { usleep(200) }
      }
    }
    try! recorder.flush()
    recorder.close()
    let statistics = recorder.statistics
    precondition(statistics.lost == 0, "\(statistics.lost) events were lost; the run is void")
    return Int(statistics.stored)
  }

  private static func check(_ path: String) {
    let result = try! HistoryCheck(HistoryReader(path: path)).session(1)
    precondition(result.findings.isEmpty, "\(result.findings.prefix(3))")
  }

  private static func replay(_ path: String) {
    let verification = try! Verification(HistoryReader(path: path), session: 1)
    let result = try! verification.run()
    precondition(result.verdict == .reproduced, "\(result.verdict)")
  }

  private static func export(_ path: String, _ stored: Int) {
    let reader = try! HistoryReader(path: path)
    var bytes = 0
    try! HistoryExport(reader, as: .ndjson).write(reader.sessions()) { bytes += $0.utf8.count }
    precondition(bytes > stored * 50, "\(bytes) bytes")
  }
}
