import Foundation
import StatyHistory
import StatyReading
import StatyRecorder
import StatySpecimens
import Synchronization
import Testing

@testable import StatyCommand
@testable import StatyReplay

/// An app's controller that does not come back.
@Suite struct WatchdogTests {
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  @Test func `a call that does not return is told of`() async {
    let vigil = ReplayVigil()
    let isReleased = Flag()
    let (hung, found) = AsyncStream<ReplayVigil.Call>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let watch = Watchdog(vigil: vigil, limit: .milliseconds(20)).watch { found.yield($0) }
    // On a thread of its own, as stuck as a loop.
    Thread.detachNewThread {
      vigil.during("checkout", .milliseconds(1_230)) {
        while !isReleased.isSet.load(ordering: .relaxed) { usleep(1_000) }
      }
      end.yield()
    }
    let call = await hung.first { _ in true }
    isReleased.isSet.store(true, ordering: .relaxed)
    _ = await ended.first { _ in true }
    await watch.value
    #expect(call?.controller == "checkout")
    #expect(call?.time == .milliseconds(1_230))
    #expect(vigil.underWay == nil)
  }

  @Test func `calls that come and go are none`() {
    let vigil = ReplayVigil()
    let numbers = (0..<3).map { _ in
      vigil.during("a", .zero) {
        let before = vigil.underWay
        vigil.during("b", .zero) { #expect(vigil.underWay?.controller == "b") }
        #expect(vigil.underWay != before)
        return vigil.underWay?.number
      }
    }
    #expect(Set(numbers).count == 3)
    #expect(vigil.underWay == nil)
  }

  @Test func `a replay tells of every call of a controller's own code`() throws {
    let place = try Place()
    let scenario = SpecimenScenario.all[0]
    let controller = scenario.begin()
    let recorder = try HistoryRecorder(at: place.path())
    recorder.attach(to: controller.controller.probe, as: "screen")
    controller.play()
    recorder.close()
    var registry = ControllerRegistry.withSpecimens
    let vigil = ReplayVigil()
    registry.vigil = vigil
    let verification = try Verification(
      HistoryReader(path: place.path()), session: 1, registry: registry)
    let result = try verification.run()
    #expect(result.verdict == .reproduced)
    let calls = vigil.during("", .zero) { vigil.underWay?.number ?? 0 }
    // One to begin and one to end, for the factory and each input at least.
    #expect(calls >= 2 * UInt64(result.told))
  }

  @Test func `the message names the controller, the time and what to look for`() {
    let call = ReplayVigil.Call(number: 1, controller: "checkout", time: .milliseconds(1_230))
    #expect(
      Watchdog.words(call) == """
        Error: Replaying: 'checkout' was told at +1.230 s of its recording and has not come back \
        for 60 s, so that nothing can be said.
          Look there for a loop, or for a lock or an answer that it waits for.

        """)
  }
}
