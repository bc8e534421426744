import Foundation
import StatyHistory
import StatyRecorder

/// What opening a recorder costs the thread that does it, which at launch is the main thread.
enum OpeningBench {
  static func run() -> [Figure] {
    let openings = (0..<21).map { _ in opening() }
    func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    return [
      Figure("open_ms", middle(openings.map(\.milliseconds)), "opening a recorder at a new path"),
      Figure(
        "open_bytes", middle(openings.map(\.written)), "written meanwhile by the thread that opens"),
      Figure(
        "ring_bytes", middle(openings.map(\.ring)),
        "the ring's file, once the writer has made it ready"),
    ]
  }

  private static func opening() -> (milliseconds: Double, written: Double, ring: Double) {
    let path = BenchFolder.path("opening.sqlite")
    BenchFolder.removeHistory(at: path)
    let before = bytesWritten()
    var recorder: HistoryRecorder?
    let taken = nanoseconds(per: 1) {
      recorder = try! HistoryRecorder(at: path, options: .keepingAll)
    }
    let written = bytesWritten() - before
    try! recorder!.flush()
    let ring =
      try! FileManager.default.attributesOfItem(atPath: path + HistoryFile.ringEnd)[.size] as! Int
    recorder!.close()
    return (taken / 1e6, Double(written), Double(ring))
  }

  /// How many bytes this thread has written so far, as Linux tells it.
  private static func bytesWritten() -> Int {
    let text = (try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar:") }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }
}
