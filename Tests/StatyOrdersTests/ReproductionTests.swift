import Foundation
import Staty
import StatyRecorder
import StatyTesting
import Testing

/// A feed as in an app: three asynchronous methods, each recorded with one line.
@MainActor private final class Feed {
  enum State { case idle, new, more, newest }
  let track = StateTrack("feed", State.idle)
  private(set) var state = State.idle { didSet { track.moved(to: state) } }
  private let fetch: @MainActor (State) async -> State

  init(_ fetch: @escaping @MainActor (State) async -> State) { self.fetch = fetch }

  func refresh() async {
    await track.received("refresh") { state = await fetch(.new) }
  }
  func loadMore() async {
    await track.received("load more") { state = await fetch(.more) }
  }
  func reload() async {
    await track.received("reload") { state = await fetch(.newest) }
  }
}

extension ControllerRegistry {
  @MainActor fileprivate static var feed: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register(world: "feed") { world in
      let feed = Feed { state in await world.answer("fetch \(state)", state) }
      return world.subject(calls: [
        "refresh": { await feed.refresh() },
        "load more": { await feed.loadMore() },
        "reload": { await feed.reload() },
      ])
    }
    return registry
  }
}

/// The recorder records the tracks of the whole process: one test at a time.
@MainActor @Suite(.serialized) struct ReproductionTests {
  /// Records three calls that overlap, whose answers come in the given order.
  private func record(_ order: [Feed.State]) async throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    var waiting: [Feed.State: CheckedContinuation<Void, Never>] = [:]
    let feed = Feed { state in
      await withCheckedContinuation { waiting[state] = $0 }
      return state
    }
    recorder.attach(to: feed.track, as: "feed")
    let calls = [feed.refresh, feed.loadMore, feed.reload]
    var tasks: [Task<Void, Never>] = []
    for (number, call) in calls.enumerated() {
      tasks.append(Task { await call() })
      while waiting.count <= number { await Task.yield() }
    }
    for state in order {
      waiting[state]?.resume()
      while feed.state != state { await Task.yield() }
    }
    for task in tasks { await task.value }
    await recorder.close()
    return path
  }

  @Test func `three overlapping calls whose answers came in reverse order`() async throws {
    let path = try await record([.newest, .more, .new])
    let order = try reproduce(path, in: .feed)
    #expect(order.verdict == .reproduced(decisions: 3))
    print(order)
    expectReproduced(path, in: .feed)
  }
}
