/// Records the values of one variable, such as the state of a screen.
///
/// ```swift
/// final class FeedModel {
///   private let track = StateTrack("feed")
///   private(set) var state = FeedState.idle {
///     didSet { track.moved(to: state) }
///   }
/// }
/// ```
///
/// A change ends one visit and begins the next. Only the name of the case is recorded, without its
/// values, as with `StateName(ofCase:)`. A change to a value with the same name is recorded too,
/// but begins no new visit.
public final class StateTrack: Track {
  /// Creates a track with an unknown initial value.
  ///
  /// - Parameter name: the name in the history.
  public convenience init(_ name: StateName) {
    self.init(name, initial: nil, routes: nil)
  }

  /// Creates a track with an initial value.
  ///
  /// - Parameters:
  ///   - name: the name in the history.
  ///   - initial: the value before the first change.
  public convenience init<Value>(_ name: StateName, _ initial: Value) {
    self.init(name, initial: StateName(ofCase: initial), routes: nil)
  }

  /// Creates a track that runs on another clock, such as the clock of a test.
  ///
  /// - Parameters:
  ///   - name: the name in the history.
  ///   - initial: the value before the first change.
  ///   - elapsed: returns the time on the clock, such as `{ clock.now }` with a ``ManualClock``.
  public convenience init<Value>(
    _ name: StateName, _ initial: Value, elapsed: @escaping () -> Duration
  ) {
    self.init(
      name, initial: StateName(ofCase: initial), routes: nil, time: EventSource.time(after: elapsed)
    )
  }

  /// Creates a track with declared routes.
  ///
  /// `staty check` reports changes that no route allows.
  ///
  /// - Parameters:
  ///   - name: the name in the history.
  ///   - initial: the value before the first change, if it is known.
  ///   - routes: the allowed changes.
  public convenience init<Key: StateKey>(
    _ name: StateName, _ initial: Key? = nil, routes: Routes<Key>
  ) {
    self.init(name, initial: initial?.stateName, routes: routes.table)
  }

  private init(
    _ name: StateName, initial: StateName?, routes: RouteTable?,
    time: @escaping () -> UInt64 = { EventSource.clock }
  ) {
    super.init(name, kind: "moves", initial: initial, routes: routes, time: time)
  }

  /// Records that the value has changed.
  ///
  /// - Parameter value: the new value.
  @inlinable
  public func moved<Value>(to value: Value) {
    guard isRecorded else {
      hasMissed = true
      return
    }
    if isShowing, !show(value) { return }
    move(to: StateName(ofCase: value))
  }

  /// A text cannot be recorded: names are never freed, and a text could be anything.
  @available(
    *, unavailable, message: "Only the type of a text would be recorded. Use an enumeration."
  )
  public func moved(to value: String) {}

  @usableFromInline
  func move(to state: StateName) {
    guard begin() else { return }
    if let current = standing.last, current.state == state {
      return probe.moved(current.visit, state)
    }
    _ = removeLast()
    probe.moved(add(state).visit, state)
  }
}
