import Foundation
import Observation
import StatyTesting
import Testing

/// Each construct of Swift's concurrency, in all orders.
@MainActor struct ConstructTests {
  /// What is written in the order in which it happens.
  @MainActor final class Log {
    private(set) var text = ""
    func add(_ letter: String) { text += letter }
  }

  struct Construct: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let outcomes: Set<String>
    let body: @MainActor (World, Log) async throws -> Void

    init(
      _ name: String, _ outcomes: Set<String>,
      _ body: @escaping @MainActor (World, Log) async throws -> Void
    ) {
      (testDescription, self.outcomes, self.body) = (name, outcomes, body)
    }
  }

  @Test(arguments: constructs) func `each construct has the outcomes that it can have`(
    construct: Construct
  ) {
    var options = WorldOptions()
    options.mostDeviations = 30
    // The number of orders is limited, too; a sanitizer takes its time for them.
    options.time = nil
    // Of what is allowed, no story is told.
    let found = outcomes(options, allowed: construct.outcomes) { try await construct.play($0) }
    #expect(Set(found.outcomes.map(\.text)) == construct.outcomes, "\(found.outcomes)")
    #expect(found.isExhaustive, "\(found.extent)")
    #expect(found.doubts == [])
  }

  /// Each order is run so many times; `STATY_ORDERS` sets another number.
  private static let times =
    ProcessInfo.processInfo.environment["STATY_ORDERS"].flatMap { Int($0) } ?? 50

  @Test(arguments: constructs) func `the same choices give the same run again and again`(
    construct: Construct
  ) {
    let found = outcomes(allowed: construct.outcomes) { try await construct.play($0) }
    for outcome in found.outcomes {
      for _ in 0..<Self.times {
        var options = WorldOptions()
        // No other thread has to do with it.
        options.patience = .zero
        var search = WorldSearch(options) { try await construct.play($0) }
        let again = search.run(repeating: outcome.order)
        #expect(again.outcomes.map(\.text) == [outcome.text])
        if again.outcomes.first?.text != outcome.text { return }
      }
    }
  }

  nonisolated static let constructs = [
    Construct("async let", ["ab", "ba"]) { world, log in
      async let a: Void = log.add(world.answer("a", "a"))
      async let b: Void = log.add(world.answer("b", "b"))
      _ = await (a, b)
    },
    Construct("task group", ["abc", "acb", "bac", "bca", "cab", "cba"]) { world, log in
      await withTaskGroup(of: String.self) { group in
        for letter in ["a", "b", "c"] { group.addTask { await world.answer(letter, letter) } }
        for await letter in group { log.add(letter) }
      }
    },
    Construct("discarding group", ["ab", "ba"]) { world, log in
      await withDiscardingTaskGroup { group in
        for letter in ["a", "b"] {
          group.addTask { await log.add(world.answer(letter, letter)) }
        }
      }
    },
    Construct("detached tasks", ["ab", "ba"]) { world, log in
      for letter in ["a", "b"] {
        Task.detached { await log.add(world.answer(letter, letter)) }
      }
    },
    Construct("an actor", ["2"]) { world, log in
      let counter = Counter()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { await counter.add() } }
      }
      log.add("\(await counter.count)")
    },
    Construct("a re-entrant actor", ["1", "2"]) { world, log in
      let counter = Counter()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { await counter.addLater(world) } }
      }
      log.add("\(await counter.count)")
    },
    Construct("a stream", ["a.b.", "b.a."]) { world, log in
      let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      for letter in ["a", "b"] {
        Task { continuation.yield(await world.answer(letter, letter)) }
      }
      var count = 0
      for await letter in stream {
        log.add(letter + ".")
        count += 1
        if count == 2 { break }
      }
    },
    Construct("a continuation", ["ab", "ba"]) { world, log in
      for letter in ["a", "b"] {
        Task {
          await withCheckedContinuation { continuation in
            world.call(letter) { continuation.resume() }
          }
          log.add(letter)
        }
      }
    },
    Construct("callbacks of one source", ["ab"]) { world, log in
      for letter in ["a", "b"] { world.call(letter, from: "delegate") { log.add(letter) } }
    },
    Construct("cancellation", ["a", "x"]) { world, log in
      world.user("load") {
        do {
          log.add(
            try await world.answer(
              "a", Result<String, Never>.success("a"), whenCancelled: CancellationError()))
        } catch {
          log.add("x")
        }
      }
      world.user("leave") { world.cancel("load") }
    },
    Construct("sleep", ["ab", "ba"]) { world, log in
      for (letter, time) in [("a", 100), ("b", 120)] {
        Task {
          try await Task.sleep(for: .milliseconds(time))
          log.add(letter)
        }
      }
    },
    Construct("a clock", ["ab"]) { world, log in
      let clock: any Clock<Duration> = world.clock
      for (letter, time) in [("a", 1), ("b", 2)] {
        Task {
          try await clock.sleep(for: .seconds(time))
          log.add(letter)
        }
      }
    },
    Construct("a task-local value", ["7"]) { world, log in
      await Local.$number.withValue(7) {
        await Task { log.add(await world.answer("a", "\(Local.number)")) }.value
      }
    },
    Construct("priorities", ["ab", "ba"]) { world, log in
      Task(priority: .low) { log.add(await world.answer("a", "a")) }
      Task(priority: .high) { log.add(await world.answer("b", "b")) }
    },
    Construct("@concurrent", ["ab", "ba"]) { world, log in
      for letter in ["a", "b"] { Task { log.add(await concurrently(world, letter)) } }
    },
    Construct("an isolated parameter", ["ab", "ba"]) { world, log in
      for letter in ["a", "b"] { Task { log.add(await isolated(world, letter)) } }
    },
    Construct("Observation", ["1", "2"]) { world, log in
      let model = Observed()
      withObservationTracking {
        _ = model.count
      } onChange: {
        Task { @MainActor in log.add("\(model.count)") }
      }
      for _ in 0..<2 {
        Task {
          _ = await world.answer("a", 1)
          model.count += 1
        }
      }
    },
  ]
}

extension ConstructTests {
  @Test func `a cancellation does not take back an answer that has come`() {
    let found = outcomes { world in
      var shown = ""
      world.user("open") {
        let item = try? await world.answer(
          "item", Result<String, Never>.success("item"), whenCancelled: CancellationError())
        if let item { shown = item }
      }
      world.user("leave") {
        world.cancel("open")
        shown = ""
      }
      world.shows { shown }
    }
    #expect(found.outcomes.map(\.text) == ["", "item"])
  }

  @Test func `who sleeps for ever is cancelled`() {
    let found = outcomes { world in
      var text = ""
      world.user("watch") {
        try? await Task.sleep(nanoseconds: .max)
        text += "woken"
      }
      world.user("wait") { try? await world.clock.sleep(for: .seconds(Int64.max)) }
      world.user("leave") {
        world.cancel("watch")
        world.cancel("wait")
      }
      world.shows { text }
    }
    #expect(found.outcomes.map(\.text) == ["woken"] && found.doubts == [])
  }
}

extension ConstructTests.Construct {
  @MainActor func play(_ world: World) async throws {
    let log = ConstructTests.Log()
    world.shows { log.text }
    try await body(world, log)
  }
}

private actor Counter {
  private(set) var count = 0
  func add() { count += 1 }
  func addLater(_ world: World) async {
    let before = count
    count = before + (await world.answer("one", 1))
  }
}

private enum Local {
  @TaskLocal static var number = 0
}

@concurrent private func concurrently(_ world: World, _ letter: String) async -> String {
  await world.answer(letter, letter)
}

private func isolated(
  _ world: World, _ letter: String, to actor: isolated (any Actor)? = #isolation
) async -> String {
  await world.answer(letter, letter)
}

@MainActor @Observable private final class Observed {
  var count = 0
}
