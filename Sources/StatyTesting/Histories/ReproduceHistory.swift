public import Foundation
internal import StatyHistory
internal import StatyReading

/// How a recording of plain async code was reproduced.
public struct ReproducedOrder: Sendable {
  /// Whether it was reproduced.
  public let verdict: ReplayVerdict
  /// How the order differs from the usual one, in words.
  public let conditions: [String]
  /// How many orders were run.
  public let runs: Int
}

/// Looks for an order of plain async code in which its tracks do what was recorded.
///
/// ```swift
/// @MainActor @Test func `what the phone recorded can happen`() throws {
///   let order = try reproduce("feed-bug", in: .app)
///   #expect(order.conditions == ["the answer of 'items' to 'refresh' is late: behind 'load more'"])
/// }
/// ```
///
/// The registry says how a model is made and which call belongs to which recorded message. Register
/// it with `register(world:make:)`.
///
/// - Parameters:
///   - history: a path, or the name of a file, as for `replay(_:in:)`.
///   - registry: makes the models.
///   - options: how far the orders are searched.
///   - bundle: the bundle to search if there is no such file next to the test.
/// - Returns: the order. The verdict is `diverged` only if no order at all does what was recorded.
/// - Throws: an error if the history does not exist or is damaged, or has no such model.
@MainActor public func reproduce(
  _ history: String, in registry: ControllerRegistry, options: WorldOptions = WorldOptions(),
  bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) throws -> ReproducedOrder {
  let location = TestLocation(fileID, filePath, line, column)
  let kept = try KeptHistory(history, bundle, location)
  var last: ReproducedOrder?
  for session in try kept.sessions {
    for order in try kept.reproduced(session, in: registry, options) {
      guard case .reproduced = order.verdict else { return order }
      last = order
    }
  }
  guard let last else { throw try NothingKnown(kept, registry) }
  return last
}

extension KeptHistory {
  /// A model of plain async code, and what was recorded of it.
  struct RecordedModel {
    let name: String
    let recorded: RecordedTracks
    let make: @MainActor (World) -> WorldSubject
  }

  /// The models of a session that a registry makes.
  ///
  /// - Throws: an ``UnclearModel`` if it is not known which tracks belong together, or a ``PlatformTrack``.
  func models(of session: SessionRecord, in registry: ControllerRegistry) throws -> [RecordedModel]
  {
    let controllers = registry.models.isEmpty ? [] : try reader.controllers(session: session.id)
    return try registry.models.compactMap { model in
      let own = controllers.filter { model.tracks.contains($0.kind) }
      guard !own.isEmpty, let make = model.make as? @MainActor (World) -> WorldSubject else {
        return nil
      }
      if let shown = own.first(where: \.isOfPlatform) { throw PlatformTrack(name: shown.name) }
      if Set(own.map(\.kind)).count < own.count { throw UnclearModel(name: own[0].name) }
      return RecordedModel(
        name: own[0].name,
        recorded: try RecordedTracks(
          reader, session: session, tracks: own, named: model.tracks), make: make)
    }
  }

  /// The models of a session that a registry makes, each with the order that was found.
  @MainActor func reproduced(
    _ session: SessionRecord, in registry: ControllerRegistry, _ options: WorldOptions
  ) throws -> [ReproducedOrder] {
    try models(of: session, in: registry).map { model in
      var search = Reproduction(model.recorded, options, model.make)
      search.run()
      return ReproducedOrder(search, search.recorded, model.name)
    }
  }
}

/// Several tracks of one name were recorded.
private struct UnclearModel: Error, CustomStringConvertible {
  let name: String

  var description: String {
    "The session has several tracks '\(name)', and which of them a model has is not known. Record one "
      + "at a time, or give each a name of its own."
  }
}

/// A track follows UIKit, so no order of the model's code decides what it does.
private struct PlatformTrack: Error, CustomStringConvertible {
  let name: String

  var description: String {
    "'\(name)' records what UIKit shows, and not what a model does. Leave it out of 'register(world:)', and "
      + "name the model's own track."
  }
}

extension ReproducedOrder {
  @MainActor fileprivate init(
    _ search: Reproduction, _ recorded: RecordedTracks, _ model: String
  ) {
    (conditions, runs) = (search.conditions, search.runs)
    let place = min(search.matched, recorded.events.count - 1)
    // Where everything that was recorded has happened, something more did.
    let expected = place < search.matched ? "nothing more" : recorded.words(place)
    // The same words mean that only the cause differs.
    let isSame = search.instead == expected
    let instead = (search.instead ?? "nothing") + (isSame ? " from another cause" : "")
    verdict =
      switch search.verdict {
      case .reproduced: .reproduced(decisions: recorded.moves)
      case .diverged:
        .diverged(
          ReplayDivergence(
            controller: model, event: recorded.events.isEmpty ? 0 : recorded.events[place],
            recorded: expected, replayed: instead,
            matched: recorded.moves(first: search.matched)))
      case .notFound where !search.doubts.isEmpty: .inconclusive(search.doubts)
      case .notFound where search.unlike != nil:
        .inconclusive([Self.unlike(search.unlike ?? 0, recorded)])
      case .notFound:
        .inconclusive([
          "None of \(search.runs) orders does what was recorded, and there are more. The closest does "
            + "\(search.matched) of \(recorded.events.count) things, and then '\(instead)' in place of "
            + "'\(expected)'. If this is what a fix changes, delete this test."
        ])
      }
  }
  /// That an order does by its names what was recorded, and shows something else.
  private static func unlike(_ place: Int, _ recorded: RecordedTracks) -> String {
    let same = recorded.sameAsEarlier(place)
    let its = "'\(recorded.words(place))' (event \(recorded.events[place]))"
    let difference =
      same.map { "\(its) showed the same as event \(recorded.events[$0]), and here it does not." }
      ?? "\(its) showed something else than all moves before it, and here it does not."
    return
      "An order has the recorded names, but none shows what was recorded: \(difference) If this is what a fix "
      + "changes, delete this test. Else let the fakes answer what the server did: the same where it was "
      + "the same, else something else."
  }
}
