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
/// the others are popped and pushed. Only the names of elements are recorded, as with
/// `StateName(ofCase:)`, and which elements are equal.
public final class StackTrack: Track {
  /// The hashes of the elements in the path.
  private var hashes: [Int] = []
  /// The first visit of each element, by its hash.
  private var instances: [Int: VisitNumber] = [:]

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

  /// Records that the path has changed.
  ///
  /// - Parameter path: the new path.
  @inlinable
  public func moved<Path: Collection>(to path: Path) where Path.Element: Hashable {
    if isRecorded { move(to: path) } else { hasMissed = true }
  }

  @usableFromInline
  func move<Path: Collection>(to path: Path) where Path.Element: Hashable {
    guard begin() else { return }
    let wanted = path.map { ($0, Self.hash($0)) }
    let common = zip(hashes, wanted).prefix { $0 == $1.1 }.count
    while hashes.count > common, let last = removeLast() {
      hashes.removeLast()
      probe.moved(last.visit, last.state, last.instance, .popped)
    }
    for (element, hash) in wanted[common...] {
      if instances.count >= Self.mostInstances { instances = [:] }
      let one = add(StateName(ofCase: element), instance: instances[hash])
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
