import Foundation
import Staty
import StatyRecorder
import StatyTesting
import Testing

/// Controllers, tracks and a recorder inside of a world.
@MainActor @Suite(.serialized) struct InsideTests {
  @MainActor private final class Screen {
    var shown: [String] = []
  }

  /// A state whose entering and exiting take as long as the world wants.
  private func state(_ name: StateName, _ world: World) -> AsyncState<Screen> {
    AsyncState(name) { screen in
      await world.answer("enter \(name)", ())
      screen.shown.append("\(name)")
    } exit: { screen in
      await world.answer("exit \(name)", ())
      screen.shown.removeAll { $0 == "\(name)" }
    }
  }

  @Test func `a controller shows one state at a time in every order`() {
    let found = outcomes(allowed: ["[\"alert\"]; alert, entered"]) { world in
      let screen = Screen()
      let controller = StateController<Screen>(policy: .queue)
      let observed = ObservableState(controller)
      world.follows(controller, as: "screen")
      controller.bind(to: screen)
      world.user("load") { controller.transition(to: state("loading", world)) }
      world.user("fail") { controller.transition(to: state("alert", world)) }
      world.always("one state is shown") { screen.shown.count < 2 }
      world.shows { "\(screen.shown); \(observed.current!), \(observed.phase)" }
    }
    #expect(found.outcomes.map(\.text) == ["[\"alert\"]; alert, entered"])
    #expect(found.verdict == .same)
  }

  @Test func `without a queue, two states are shown at once`() {
    let found = outcomes { world in
      let screen = Screen()
      let controller = StateController<Screen>(policy: .immediate)
      world.follows(controller, as: "screen")
      controller.bind(to: screen)
      world.user("load") { controller.transition(to: state("loading", world)) }
      world.user("fail") { controller.transition(to: state("alert", world)) }
      world.always("one state is shown") { screen.shown.count < 2 }
    }
    #expect(found.broken.map(\.text) == ["one state is shown"])
    #expect(found.broken.first?.story.contains("  screen: alert entering") == true)
  }

  @Test func `a recorder inside is under no doubt, and records`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = WorldOptions()
    options.randomOrders = 0
    var number = 0
    let found = outcomes(options, allowed: ["done"]) { world in
      number += 1
      let path = folder.appendingPathComponent("\(number).sqlite").path
      let recorder = try HistoryRecorder(at: path)
      let track = StateTrack("work")
      recorder.attach(to: track, as: "work")
      var state = "" { didSet { track.moved(to: Phase(rawValue: state)!) } }
      world.user("begin") {
        await track.received("begin") {
          state = "busy"
          await world.answer("work", ())
          state = "done"
        }
      }
      world.user("end") { recorder.close() }
      world.shows { state }
    }
    #expect(found.outcomes.map(\.text) == ["done"] && found.doubts == [])
    let first = folder.appendingPathComponent("1.sqlite").path
    var registry = ControllerRegistry()
    registry.register(world: "work") { world in
      let track = StateTrack("work")
      return world.subject(calls: [
        "begin": {
          await track.received("begin") {
            track.moved(to: Phase.busy)
            await world.answer("work", ())
            track.moved(to: Phase.done)
          }
        }
      ])
    }
    #expect(try reproduce(first, in: registry).verdict == .reproduced(decisions: 2))
  }

  private enum Phase: String { case busy, done }

  @Test func `a deadline passes in virtual time`() {
    let found = outcomes { world in
      let screen = Screen()
      let controller = StateController<Screen>(policy: .queue)
      controller.bind(to: screen)
      world.user("load") { controller.transition(to: state("loading", world)) }
      world.user("wait") { try? await Task.sleep(for: .seconds(60)) }
      world.shows { screen.shown }
    }
    #expect(found.outcomes.map(\.text) == ["[\"loading\"]"])
  }

  /// A busy machine may take a thread's core away between the making of an instant and the sleep.
  @Test(arguments: [5_000, 300])
  func `a sleep is as long as it was meant, however slow the machine is`(milliseconds: Int) {
    let found = outcomes { world in
      var slept = Duration.zero
      world.user("wait") {
        let began = world.clock.now
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end - .milliseconds(milliseconds - 12) {}
        try? await Task.sleep(until: end, clock: .continuous)
        slept = began.duration(to: world.clock.now)
      }
      world.shows { slept }
    }
    #expect(
      found.outcomes.first?.text == "\(Duration.milliseconds(milliseconds))", "\(found.outcomes)")
  }

  @Test func `a named task is told by its name`() {
    let found = outcomes { world in
      var text = ""
      world.user("load") {
        Task(name: "profile") {
          text = await world.answer("profile", "me")
        }
      }
      world.user("sign out") { text = "" }
      world.shows { text }
    }
    #expect(
      found.outcomes.last?.conditions == [
        "the answer of 'profile', task 'profile', to 'load' is late: behind 'sign out'"
      ])
  }
}
