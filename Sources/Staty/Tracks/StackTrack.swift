/// Records a navigation path.
///
/// A pushed element enters on top of the others; a popped element exits.
///
/// ```swift
/// final class Navigation {
///   private let track = StackTrack("navigation")
///   var path: [Route] = [] {
///     didSet { track.moved(to: path) }
///   }
/// }
/// ```
///
/// When the path is replaced, the elements that both paths have in common from the beginning stay;
/// the others are popped and pushed. Only the names of elements are recorded, and which elements are
/// equal. An element is named like a state of a ``StateTrack``, but a structure like the case of the
/// enumeration in it, if there is one and no other. Of SwiftUI's `NavigationPath`, which hides its
/// elements, record the count with ``moved(toCount:)``.
public final class StackTrack: Track {
  /// The hashes of the elements in the path.
  private var hashes: [Int] = []
  /// The first visit of each element, by its hash.
  private var instances: [Int: VisitNumber] = [:]
  /// The path to show next, if a change comes while another is being recorded.
  private var next: [(name: StateName, hash: Int)]?
  private var isMoving = false

  /// How many elements are remembered.
  ///
  /// After that, all are forgotten.
  private static let mostInstances = 1_024

  /// Creates a track of an empty path.
  ///
  /// - Parameter name: the name in the history.
  public init(_ name: StateName) {
    super.init(name, kind: "stack", initial: nil, routes: nil)
  }

  /// Creates a track of a path that is not empty at first, such as a restored one.
  ///
  /// - Parameters:
  ///   - name: the name in the history.
  ///   - initial: the path before the first change.
  public init<Path: Collection>(_ name: StateName, _ initial: Path) where Path.Element: Hashable {
    // A replay that makes the model may show it again at the end.
    super.init(
      name, kind: "stack", initial: nil,
      value: TrackDoor.isReplaying ? AnyHashable(Array(initial)) : nil, routes: nil)
    for element in initial {
      let hash = Self.hash(element)
      let one = add(StateName(ofElement: element), instance: instances[hash])
      instances[hash] = one.instance
      hashes.append(hash)
    }
  }

  /// Creates a track of an empty path that runs on another clock, such as the clock of a test.
  ///
  /// - Parameters:
  ///   - name: the name in the history.
  ///   - elapsed: returns the time on the clock, such as `{ clock.now }` with a ``ManualClock``.
  public init(_ name: StateName, elapsed: @escaping () -> Duration) {
    super.init(
      name, kind: "stack", initial: nil, routes: nil, time: EventSource.time(after: elapsed))
  }

  /// Creates a track of what the platform shows, which no model moves.
  package init(shown name: StateName) {
    super.init(name, kind: "shown", initial: nil, routes: nil)
  }

  /// Records that the path has changed.
  ///
  /// - Parameter path: the new path.
  @inlinable
  public func moved<Path: Collection>(to path: Path) where Path.Element: Hashable {
    if isRecorded { record(path) } else { hasMissed = true }
  }

  /// Records that the number of elements of a path has changed, for a path that hides its elements.
  ///
  /// All elements have the name `element`, so of two that come shortly after each other one may be a
  /// second tap.
  ///
  /// - Parameter count: the new number of elements.
  @inlinable
  public func moved(toCount count: Int) {
    if isRecorded { move(toCount: count) } else { hasMissed = true }
  }

  @usableFromInline
  func move(toCount count: Int) {
    guard begin() else { return }
    move(to: (0..<max(0, count)).map { ("element", Self.hash($0)) })
  }

  @usableFromInline
  func record<Path: Collection>(_ path: Path) where Path.Element: Hashable {
    guard begin(), tells(Array(path)) else { return }
    move(to: path.map { (StateName(ofElement: $0), Self.hash($0)) })
  }

  private func move(to path: [(name: StateName, hash: Int)]) {
    next = path
    // An observer that changes the path is recorded after the change that it was told of.
    if isMoving { return }
    isMoving = true
    while let path = next.take() { change(to: path) }
    isMoving = false
  }

  private func change(to path: [(name: StateName, hash: Int)]) {
    let common = zip(hashes, path).prefix { $0 == $1.hash }.count
    while hashes.count > common, let last = removeLast() {
      hashes.removeLast()
      probe.moved(last.visit, last.state, last.instance, .popped)
    }
    for (name, hash) in path[common...] {
      if instances.count >= Self.mostInstances { instances = [:] }
      let one = add(name, instance: instances[hash])
      instances[hash] = one.instance
      hashes.append(hash)
      probe.moved(one.visit, one.state, one.instance, .pushed)
    }
  }

  override func forget() {
    super.forget()
    hashes = []
  }

  // Elements are not stored: they would live longer, and the app's next change would copy the path.
  private static func hash(_ element: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(element)
    return hasher.finalize()
  }
}
