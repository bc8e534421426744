import Foundation
import Staty
import StatyHistory
import StatyRecorder

/// The cost of recording for the app's thread, and the recorder's throughput, all with public API.
enum RecorderBench {
  static func run(_ wanted: Wanted) -> [Figure] {
    var figures = [Figure]()
    if wanted.isAny("open_ms", "open_bytes", "ring_bytes") {
      figures += wanted.pick(OpeningBench.run())
    }
    figures += wanted("hot_path_ns_mean") {
      Figure($0, hotPathMean(), "an event, whole transitions with a recorder less without")
    }
    figures += wanted("rival_ns_mean") {
      Figure($0, rivalMean(), "baseline: the same with a mutex and an array, written by hand")
    }
    figures += wanted("hot_path_ns_p999") {
      let tail = hotPathTail(events: 400_000, in: 20_000, pause: 0)
      return Figure($0, tail, "back to back in bursts, writer running")
    }
    figures += wanted("hot_path_ns_p999_paced") {
      let tail = hotPathTail(events: 100_000, in: 1, pause: 100_000)
      return Figure($0, tail, "at 10,000 events/s")
    }
    figures += wanted("hot_path_ns_p999_slow") {
      let tail = hotPathTail(events: 6_000, in: 1, pause: 10_000_000)
      return Figure($0, tail, "at 100 events/s for 60 s, writer committing")
    }
    if wanted.isAny(
      "track_moved_recorded_ns", "track_moved_showing_ns", "track_received_recorded_ns")
    {
      let recorder = open()
      figures += wanted.pick(TrackBench.recorded(recorder))
      closeWithoutLoss(recorder)
    }
    if wanted.isAny("sustained_vs_raw_insert", "bytes_per_event") { figures += sustained() }
    figures += wanted("bytes_per_event_slow") {
      Figure($0, HistoryBench.slowBytesPerEvent(), "the same at 20 events/s")
    }
    figures += wanted("recorder_rss_mb") {
      Figure($0, residentMegabytes(), "the process with a recorder, less without")
    }
    figures += wanted("clock_read_ns") {
      Figure($0, clockRead(), "baseline: one read of the system's monotonic clock")
    }
    figures += wanted("restore_ms") {
      Figure(
        $0, RestoreBench.slowest(), "last state right after a kill, history of a million events")
    }
    return figures
  }

  /// Alternates with the baseline, so that both use the disk under the same conditions.
  private static func sustained() -> [Figure] {
    let pairs = (0..<5).map { _ in
      (ours: sustainedRate(visits: 400_000), raw: HistoryBench.rawInsertRate())
    }
    let middle = pairs.sorted { $0.ours.perSecond / $0.raw < $1.ours.perSecond / $1.raw }[2]
    return [
      Figure(
        "sustained_vs_raw_insert", middle.ours.perSecond / middle.raw,
        "against bound inserts, same batches"),
      Figure("bytes_per_event", middle.ours.bytes, "whole file after close"),
      Figure(
        "sustained_events_per_s", middle.ours.perSecond, "first event told to last one committed"),
      Figure("raw_insert_rows_per_s", middle.raw, "baseline: bound inserts into the same table"),
    ]
  }

}

// MARK: The hot path

extension RecorderBench {
  private static let visits = 3_000

  /// Bursts of whole transitions that fit into the ring.
  ///
  /// The writer catches up in between.
  private static func hotPathMean() -> Double {
    let without = bursts { transitions(visits, nil) }
    let recorder = open()
    let with = bursts {
      transitions(visits, recorder)
    } then: {
      try! recorder.flush()
    }
    closeWithoutLoss(recorder)
    return (with - without) / 5
  }

  private static func rivalMean() -> Double {
    let without = bursts { transitions(visits, nil) }
    let rival = Rival()
    let with = bursts {
      transitions(visits, nil, rival)
    } then: {
      precondition(rival.drain().count >= visits * 5 - 2, "An event is missing; the run is void.")
    }
    return (with - without) / 5
  }

  /// How long a visit of a burst takes, with a rest behind each.
  ///
  /// The writer's later work, such as checking a burst against the rules, must not count for the next one. A core
  /// that has rested is slower at first, so what is compared rests as long.
  private static func bursts(_ body: () -> Void, then after: () -> Void = {}) -> Double {
    median(of: 41) {
      let taken = nanoseconds(per: visits, body)
      after()
      usleep(30_000)
      return taken
    }
  }

  private static func transitions(
    _ count: Int, _ recorder: HistoryRecorder?, _ rival: Rival? = nil
  ) {
    let screen = Screen()
    let controller = StateController<Screen>(policy: .queue)
    if let rival { controller.events.add(rival) }
    recorder?.attach(to: controller, as: "checkout")
    controller.bind(to: screen)
    let states = (0..<4).map { _ in Instant() }
    for round in 0..<count { controller.transition(to: states[round & 3]) }
  }

  /// The 99.9th percentile of the additional cost of an event with a recorder.
  ///
  /// To cancel a state that is already exiting makes one event and does nothing else, so single
  /// events can be timed from outside.
  private static func hotPathTail(events: Int, in burst: Int, pause: UInt64) -> Double {
    let without = percentile(0.5, of: oneByOne(20_000, in: 20_000, pause: 0, nil))
    let recorder = open()
    let times = oneByOne(events, in: burst, pause: pause, recorder)
    closeWithoutLoss(recorder)
    return max(0, percentile(0.999, of: times) - without)
  }

  private static func oneByOne(
    _ count: Int, in burst: Int, pause: UInt64, _ recorder: HistoryRecorder?
  ) -> [UInt32] {
    var times = [UInt32](repeating: 1, count: count)
    let screen = Screen()
    let controller = StateController<Screen>(policy: .queue)
    recorder?.attach(to: controller, as: "checkout")
    controller.bind(to: screen)
    let leaving = controller.transition(to: Patient())
    controller.transition(to: Patient())
    var next = EventSource.clock
    for index in 0..<count {
      if pause > 0 {
        next += pause
        waitUntil(next)
      } else if index % burst == 0 {
        try? recorder?.flush()
      }
      let start = EventSource.clock
      controller.cancel(leaving)
      times[index] = UInt32(clamping: EventSource.clock - start)
    }
    return times
  }

  /// Sleeps most of the time and spins for the rest, like an app's thread that resumes work.
  private static func waitUntil(_ time: UInt64) {
    let now = EventSource.clock
    if time > now + 300_000 { usleep(UInt32((time - now - 200_000) / 1_000)) }
    while EventSource.clock < time {}
  }

  private static func percentile(_ part: Double, of times: [UInt32]) -> Double {
    let sorted = times.sorted()
    return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
  }
}

// MARK: Throughput

extension RecorderBench {
  /// The rate from the first event to the last commit, as fast as the ring allows without a loss.
  private static func sustainedRate(visits: Int) -> (perSecond: Double, bytes: Double) {
    let recorder = open()
    let taken = nanoseconds(per: visits * 5) {
      let screen = Screen()
      let controller = StateController<Screen>(policy: .queue)
      recorder.attach(to: controller, as: "checkout")
      controller.bind(to: screen)
      let states = (0..<4).map { _ in Instant() }
      for round in 0..<visits {
        controller.transition(to: states[round & 3])
        if round & 1_023 == 0 {
          while recorder.statistics.queued > 20_000 { usleep(200) }
        }
      }
      try! recorder.flush()
    }
    let stored = recorder.statistics.stored
    closeWithoutLoss(recorder)
    let size = try! FileManager.default.attributesOfItem(atPath: path)[.size] as! Int
    return (1e9 / taken, Double(size) / Double(stored))
  }

  private static func residentMegabytes() -> Double {
    let before = resident()
    let recorder = open()
    transitions(4_000, recorder)
    try! recorder.flush()
    let after = resident()
    closeWithoutLoss(recorder)
    return Double(max(0, after - before)) / 1e6
  }

  private static func resident() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4_096
  }

  private static var path: String { BenchFolder.path("recorder.sqlite") }

  private static func open() -> HistoryRecorder {
    BenchFolder.removeHistory(at: path)
    return try! HistoryRecorder(at: path, options: .keepingAll)
  }

  /// A run with a lost event does not count.
  private static func closeWithoutLoss(_ recorder: HistoryRecorder) {
    recorder.close()
    let statistics = recorder.statistics
    precondition(statistics.lost == 0, "\(statistics.lost) events were lost; the run is void")
  }
}
