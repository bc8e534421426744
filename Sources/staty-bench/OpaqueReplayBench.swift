import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay

/// What replaying a class of an app's own costs, an event.
enum OpaqueReplayBench {
  /// So many transitions are recorded, five events each.
  private static let transitions = 200_000

  static func rate() -> Double {
    let path = BenchFolder.path("replay-opaque.sqlite")
    defer { BenchFolder.removeHistory(at: path) }
    record(path)
    var registry = ControllerRegistry()
    registry.register("swap") { context in
      let swap = Swap(context.probe)
      return context.subject(makeState: { Slide($0.name, script: $0, of: swap) }) { slide, _ in
        swap.show(slide)
      }
    }
    let reader = try! HistoryReader(path: path)
    return median(of: 3) {
      var events = 0
      let time = nanoseconds(per: 1) {
        let result = try! Verification(reader, session: 1, registry: registry).run()
        precondition(result.verdict == .reproduced, "\(result.doubts) \(result.divergences)")
        events = result.told + result.matched
      }
      return Double(events) / time * 1e9
    }
  }

  private static func record(_ path: String) {
    BenchFolder.removeHistory(at: path)
    let recorder = try! HistoryRecorder(at: path, options: .keepingAll)
    let swap = Swap(ControllerProbe("swap"))
    recorder.attach(to: swap.probe, as: "swap")
    for number in 0..<transitions {
      swap.show(Slide(StateName("s\(number & 3)"), script: nil, of: swap))
      // Shown faster than stored.
      if number % 1_000 == 999 { try! recorder.flush() }
    }
    recorder.close()
    precondition(recorder.statistics.lost == 0)
  }
}

/// Shows one slide after the other, at once.
private final class Swap {
  let probe: ControllerProbe
  private var shown: Slide?

  init(_ probe: ControllerProbe) { self.probe = probe }

  func show(_ slide: Slide) {
    probe.requested(slide, named: slide.name) {
      if let old = shown { probe.telling(.exit, old) { old.do(.exited) } }
      shown = slide
      probe.telling(.enter, slide) { slide.do(.entered) }
    }
  }
}

private final class Slide {
  let name: StateName
  private let script: ReplayState?
  private unowned let swap: Swap

  init(_ name: StateName, script: ReplayState?, of swap: Swap) {
    (self.name, self.script, self.swap) = (name, script, swap)
    script?.onCompletion = { [unowned self] in swap.probe.completed($0, self) }
  }

  func `do`(_ completion: Completion) {
    guard let script else { return swap.probe.completed(completion, self) }
    if completion == .entered { script.enter() } else { script.exit() }
  }
}
