public import Staty
internal import StatyReplay

/// What surrounds a model in a test: the user, the answers of a server, and time.
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
/// The test is run again and again, each time in another order: an answer is late, or the user does
/// not wait.
// Sendable: everything happens on the thread under control, and elsewhere nothing is changed.
public final class World: @unchecked Sendable {
  /// A test in a world.
  package typealias Body = @MainActor (World) async throws -> Void

  let run: WorldRun
  private(set) var shown: [Shown] = []
  private(set) var conditions: [Condition] = []
  /// The names of actions, and the last number of each that several have.
  private var (names, numbers) = (Set<String>(), [String: Int]())

  init(_ run: WorldRun) { self.run = run }

  /// Forgets what is judged: it holds the model, which holds the world.
  func end() { (shown, conditions) = ([], []) }

  // MARK: The user

  /// Lets the user do something, after what was given before.
  ///
  /// A patient user waits until everything has settled, and then for a second. In other orders the
  /// user does it earlier.
  ///
  /// - Parameters:
  ///   - name: what the user does, in words.
  ///   - condition: whether it can be done, such as whether a button is enabled.
  ///   - action: does it, as the button or the view does. The user does not wait for its end.
  @MainActor public func user(
    _ name: String, when condition: (@MainActor () -> Bool)? = nil,
    _ action: @escaping @MainActor () async -> Void
  ) {
    run.willAct(UserAction(numbered(name), when: condition, action))
  }

  /// Lets the user do something when its time has come, unless the model has done it by then.
  @MainActor func user(
    _ name: String, when condition: (@MainActor () -> Bool)? = nil, due isDue: (() -> Bool)? = nil,
    over isOver: @escaping () -> Bool, _ action: @escaping @MainActor () async -> Void
  ) {
    run.willAct(UserAction(numbered(name), when: condition, due: isDue, over: isOver, action))
  }

  private func numbered(_ name: String) -> String {
    if names.insert(name).inserted { return name }
    var number = (numbers[name] ?? 1) + 1
    while !names.insert("\(name) (\(number))").inserted { number += 1 }
    numbers[name] = number
    return "\(name) (\(number))"
  }

  /// Cancels the task of an action, as a view that disappears does with its `.task`.
  ///
  /// - Parameter action: the name of the action.
  @MainActor public func cancel(_ action: String) {
    let meant = run.script.actions.filter { $0.name == action }
    if meant.isEmpty { run.escaped("there is no action '\(action)' to cancel") }
    for one in meant { one.cancel() }
  }

  /// Tells what a controller does in the story of a failure, as it does of tracks.
  ///
  /// - Parameters:
  ///   - controller: the controller, or a probe.
  ///   - name: what it is called.
  @MainActor public func follows(_ controller: some Recordable, as name: StateName) {
    run.tracks?.follow(controller.events, name)
  }

  // MARK: What is judged

  /// Something that is compared when nothing is left to be done.
  struct Shown {
    let name: String
    let value: @MainActor () -> ShownValue
  }

  /// A condition of the model.
  struct Condition {
    let name: String
    let moment: ConditionMoment
    let holds: @MainActor () -> Bool
  }

  /// Compares a value when nothing is left to be done: what a screen shows, or what was stored.
  ///
  /// - Parameters:
  ///   - name: what it is, if several things are compared.
  ///   - value: returns the value.
  @MainActor public func shows<Value: Equatable>(
    _ name: String = "", _ value: @escaping @MainActor () -> Value
  ) {
    shown.append(Shown(name: name) { ShownValue(value()) })
  }

  @MainActor func shows(_ one: Shown) { shown.append(one) }

  /// Compares what the tracks show.
  @MainActor func showsTracks() {
    shown.append(
      Shown(name: "") { [run] in
        let tracks = run.tracks ?? TrackLog()
        return ShownValue(
          tracks.shown { track in
            run.escaped(
              "of what '\(track)' shows, only the name can be compared: make its values Hashable, or "
                + "say with '.showing { … }' in the registry what is compared")
          })
      })
  }

  /// Expects a condition after each thing that happens.
  @MainActor public func always(_ name: String, _ holds: @escaping @MainActor () -> Bool) {
    conditions.append(Condition(name: name, moment: .always, holds: holds))
  }

  /// Expects a condition whenever nothing is under way.
  @MainActor public func atRest(_ name: String, _ holds: @escaping @MainActor () -> Bool) {
    conditions.append(Condition(name: name, moment: .atRest, holds: holds))
  }

  /// Expects a condition when nothing is left to be done.
  @MainActor public func atEnd(_ name: String, _ holds: @escaping @MainActor () -> Bool) {
    conditions.append(Condition(name: name, moment: .atEnd, holds: holds))
  }
}

/// A value that is compared with that of another run.
struct ShownValue {
  private let value: Any
  private let isEqual: (Any) -> Bool

  init<Value: Equatable>(_ value: Value) {
    self.value = value
    isEqual = { $0 as? Value == value }
  }

  /// The value in words: made only for what differs from earlier runs.
  var text: String { String(shown: value) }

  func equals(_ other: ShownValue) -> Bool { isEqual(other.value) }
}
