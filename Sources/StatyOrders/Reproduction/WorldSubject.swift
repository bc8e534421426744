public import Staty
public import StatyReplay

/// Describes which calls of a model belong to recorded messages.
public struct WorldSubject {
  /// What the user did, and whether it can be done now; `nil` if always.
  struct Call {
    var condition: (@MainActor () -> Bool)?
    let body: @MainActor () async -> Void
  }

  private let calls: [StateName: @MainActor () async -> Void]
  private var send: (@MainActor (String) throws -> Call)?
  /// What is compared; of nothing, the tracks.
  private(set) var shown: [World.Shown] = []

  fileprivate init(_ calls: [StateName: @MainActor () async -> Void]) { self.calls = calls }

  /// Whether something from outside can be told to the model.
  var hasCalls: Bool { !calls.isEmpty || send != nil }

  /// A copy that also tells messages that were recorded with their values.
  ///
  /// ```swift
  /// world.subject().receiving(when: { (message: ListMessage) in
  ///   if case .delete(let id) = message { list.items.contains { $0.id == id } } else { true }
  /// }) { message in
  ///   await list.send(message)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - isPossible: whether the user can do it now, such as whether a row is on the screen; a search of other
  ///     orders waits for that.
  ///   - send: does what the app did when the message arrived.
  public func receiving<Message: RecordedMessage>(
    when isPossible: (@MainActor (Message) -> Bool)? = nil,
    _ send: @escaping @MainActor (Message) async -> Void
  ) -> WorldSubject {
    var subject = self
    subject.send = { text in
      // What does not decode has no call. Each call decodes its own message: it need not be Sendable.
      let decode = { try MessageText.message(Message.self, from: text) }
      _ = try decode()
      var call = Call {
        if let message = try? decode() { await send(message) }
      }
      if let isPossible {
        call.condition = {
          guard let message = try? decode() else { return true }
          return isPossible(message)
        }
      }
      return call
    }
    return subject
  }

  /// A copy that compares the given value, to tell one outcome from another.
  ///
  /// Without it, what the tracks show is: values where they are Hashable, else names.
  public func showing<Value: Equatable>(_ value: @escaping @MainActor () -> Value) -> WorldSubject {
    var subject = self
    subject.shown.append(World.Shown(name: "") { ShownValue(value()) })
    return subject
  }

  /// The call that a recorded message belongs to; `nil` if there is none.
  @MainActor func call(_ message: RecordedTracks.Input) -> Call? {
    if let send, let text = message.payload, let call = try? send(text) { return call }
    return calls[message.name].map { Call(body: $0) }
  }
}

extension World {
  /// Describes which call of the model belongs to which recorded message.
  ///
  /// ```swift
  /// registry.register(world: "feed") { world in
  ///   let feed = FeedModel(server: FakeServer(world))
  ///   return world.subject(calls: [
  ///     "refresh": { await feed.refresh() },
  ///     "load more": { await feed.loadMore() },
  ///   ])
  /// }
  /// ```
  ///
  /// - Parameter calls: the calls, by the names of the messages.
  @MainActor public func subject(
    calls: [StateName: @MainActor () async -> Void] = [:]
  ) -> WorldSubject {
    WorldSubject(calls)
  }
}

extension ControllerRegistry {
  /// Adds a model of plain async code.
  ///
  /// A recording of it is looked for: the model is run in different orders until one leads to the
  /// recorded changes.
  ///
  /// - Parameters:
  ///   - tracks: the names of its tracks.
  ///   - make: makes the model, with fakes that answer when the world wants.
  public mutating func register(
    world tracks: String..., make: @escaping @MainActor (World) -> WorldSubject
  ) {
    register(model: tracks, make: make)
  }
}
