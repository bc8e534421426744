import Foundation

/// Expects that plain async code always ends in the same way, whenever the answers come.
///
/// ```swift
/// @MainActor @Test func `the feed ends the same however slow the server is`() {
///   expectOneOutcome { world in
///     let feed = FeedModel(server: FakeServer(world))
///     world.user("refresh") { await feed.refresh() }
///     world.user("load more") { await feed.loadMore() }
///     world.shows { feed.items }
///   }
/// }
/// ```
///
/// The body is run in every order with a deviation from the usual one, in which the user waits until
/// everything has settled. The test fails if it ends in several ways, if a condition of the world
/// does not hold, or if something is not under control. If several ways are right, name them with
/// `expectOutcomes`: the failure has the line to paste.
///
/// - Parameters:
///   - options: how far the orders are searched.
///   - order: the only order to run, as a failure names it.
///   - body: makes a model, and says what the user does and what is compared.
/// - Returns: the outcomes.
@discardableResult @MainActor
public func expectOneOutcome(
  options: WorldOptions = WorldOptions(), repeating order: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ body: @escaping @MainActor (World) async throws -> Void
) -> WorldOutcomes {
  expectOutcomes(nil, options, order, TestLocation(fileID, filePath, line, column), body)
}

/// Expects that plain async code ends in one of the allowed ways, whenever the answers come.
///
/// The parameters are those of `expectOneOutcome`, and the outcomes that are right, as a failure
/// writes them.
@discardableResult @MainActor
public func expectOutcomes(
  allowed: String..., options: WorldOptions = WorldOptions(), repeating order: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ body: @escaping @MainActor (World) async throws -> Void
) -> WorldOutcomes {
  expectOutcomes(allowed, options, order, TestLocation(fileID, filePath, line, column), body)
}

@MainActor private func expectOutcomes(
  _ allowed: [String]?, _ options: WorldOptions, _ order: String?, _ location: TestLocation,
  _ body: @escaping @MainActor (World) async throws -> Void
) -> WorldOutcomes {
  var search = WorldSearch(options, body)
  var progress = SearchProgress()
  let outcomes = search.run(allowed: allowed, repeating: order) { progress.note($0) }
  progress.end()
  WorldWords(outcomes).report(at: location)
  return outcomes
}

/// Shows at a terminal how far a long search has come.
private struct SearchProgress {
  private let began = ContinuousClock.now
  private let isAtTerminal = isatty(STDERR_FILENO) == 1
  private var isShown = false

  mutating func note(_ orders: Int) {
    guard isAtTerminal, isShown || ContinuousClock.now - began > .seconds(2) else { return }
    isShown = true
    write("\r\(orders) orders …")
  }

  func end() {
    if isShown { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    // A terminal that has gone is no reason to fail.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
