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
    self.init(name, initial: StateName(ofCase: initial), value: Self.kept(initial), routes: nil)
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
      name, initial: StateName(ofCase: initial), value: Self.kept(initial), routes: nil,
      time: EventSource.time(after: elapsed))
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
    self.init(
      name, initial: initial?.stateName, value: initial.flatMap(Self.kept), routes: routes.table)
  }

  private init(
    _ name: StateName, initial: StateName?, value: AnyHashable? = nil, routes: RouteTable?,
    time: @escaping () -> UInt64 = { EventSource.clock }
  ) {
    super.init(
      name, kind: "moves", initial: initial, value: value, routes: routes, time: time)
  }

  /// The initial value, if a replay makes the model: it may show that again at the end.
  private static func kept<Value>(_ initial: Value) -> AnyHashable? {
    TrackDoor.isReplaying ? initial as? AnyHashable : nil
  }

  /// Records that the value has changed.
  ///
  /// - Parameter value: the new value.
  @inlinable
  public func moved<Value>(to value: Value) {
    if isRecorded { record(value) } else { hasMissed = true }
  }

  /// Records that the value has changed.
  ///
  /// Of a value without references a hash is recorded, too: whether another one of its name is shown.
  ///
  /// - Parameter value: the new value.
  @inlinable
  public func moved<Value: Hashable>(to value: Value) {
    if isRecorded { record(hashable: value) } else { hasMissed = true }
  }

  /// Records that the value has changed, with a hash of what is shown besides its name.
  ///
  /// ```swift
  /// track.moved(to: phase, showing: items)
  /// ```
  ///
  /// The hash says nothing but whether the same was shown before. With it, an answer that replaces
  /// newer data within a phase is a change, too.
  ///
  /// - Parameters:
  ///   - value: the new value.
  ///   - shown: what is shown; it is asked only while the track is recorded.
  @inlinable
  public func moved<Value, Shown: Hashable>(
    to value: Value, showing shown: @autoclosure () -> Shown
  ) {
    if isRecorded { record(value, showing: shown()) } else { hasMissed = true }
  }

  /// A view on the screen.
  private struct ViewOnScreen {
    // Weak, because a view may be released without having disappeared.
    weak let view: AnyObject?
    let show: () -> Void
  }

  /// The views on the screen that show on this track, in the order in which they appeared.
  private var onScreen: [ViewOnScreen] = []

  /// A view has appeared on top of the others, or shows another value.
  ///
  /// - Parameter view: an object that exists as long as the view.
  package func appeared(_ value: some Hashable, in view: AnyObject) {
    let shown = ViewOnScreen(view: view) { [unowned self] in moved(to: value) }
    onScreen.removeAll { $0.view == nil }
    guard let place = onScreen.firstIndex(where: { $0.view === view }) else {
      onScreen.append(shown)
      return moved(to: value)
    }
    onScreen[place] = shown
    if place == onScreen.count - 1 { moved(to: value) }
  }

  /// A view shows another value, if it is on the screen.
  package func changed(_ value: some Hashable, in view: AnyObject) {
    if onScreen.contains(where: { $0.view === view }) { appeared(value, in: view) }
  }

  /// A view has disappeared: if it was on top, the one below it is shown again.
  package func disappeared(_ view: AnyObject) {
    let top = onScreen.last?.view
    onScreen.removeAll { $0.view == nil || $0.view === view }
    if let last = onScreen.last, last.view !== top { last.show() }
  }

  /// A text cannot be recorded: names are never freed, and a text could be anything.
  @available(
    *, unavailable, message: "Only the type of a text would be recorded. Use an enumeration."
  )
  public func moved(to value: String) {}

  @usableFromInline
  func record<Value>(_ value: Value) {
    if begin(), tells(value) { move(value) }
  }

  @usableFromInline
  func record<Value: Hashable>(hashable value: Value) {
    guard begin(), tells(value) else { return }
    // To hash what lies behind references may take long. A replay has the time.
    if StateName.isPhase(Value.self) || StateName.isWhole(value)
      || !_isPOD(Value.self) && !isShowing
    {
      return move(value)
    }
    move(to: StateName(ofCase: value), Fingerprint.of(value))
  }

  @usableFromInline
  func record<Value, Shown: Hashable>(_ value: Value, showing shown: Shown) {
    guard begin() else { return }
    let state = StateName(ofCase: value)
    // The model has set its state, perhaps to the same: it has not ignored its message.
    if isShowing { _ = tells(ShownValue(state: state, value: shown)) }
    move(to: state, Fingerprint.of(shown))
  }

  private func move<Value>(_ value: Value) {
    let state = StateName(ofCase: value)
    guard state == standing.last?.state, !StateName.isPhase(Value.self) else {
      return move(to: state, Fingerprint.none)
    }
    // There may be more to the value than its name.
    move(to: state, StateName.isWhole(value) ? Fingerprint.same : Fingerprint.unknown)
  }

  private func move(to state: StateName, _ fingerprint: UInt32) {
    if let current = standing.last, current.state == state {
      return probe.moved(current.visit, state, fingerprint: fingerprint)
    }
    _ = removeLast()
    probe.moved(add(state).visit, state, fingerprint: fingerprint)
  }
}

/// A name and what is shown besides.
private struct ShownValue<Value: Hashable>: Hashable, CustomStringConvertible {
  let state: StateName
  let value: Value

  /// As in `ready ([1, 2])`; of an optional, what it holds.
  var description: String {
    let held = Mirror(reflecting: value).displayStyle == .optional
    let some = held ? Mirror(reflecting: value).children.first?.value : value
    let text = some.map { "\($0)" } ?? "nil"
    // Where the state itself is shown besides its name.
    return text.hasPrefix("\(state)(") || text == "\(state)" ? text : "\(state) (\(text))"
  }
}

/// What is recorded of a shown value, to know whether the next one is another: a hash, or one of the
/// numbers that no hash is.
package enum Fingerprint {
  /// The name has changed, or there is no more to the value than a phase.
  package static let none: UInt32 = 0
  /// The same is shown as before.
  package static let same: UInt32 = 1
  /// The name has not changed, and whether the values have is not known.
  package static let unknown: UInt32 = 2

  /// The key of the hashes, which is never stored.
  private static let key = UInt64.random(in: .min ... .max)

  static func of(_ shown: some Hashable) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(shown)
    return max(unknown + 1, UInt32(truncatingIfNeeded: hasher.finalize()))
  }
}
