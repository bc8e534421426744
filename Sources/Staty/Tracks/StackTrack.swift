/// Records a navigation path: what is pushed enters over what stays, and what is popped exits from the
/// top.
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
/// A path that is replaced is the shortest such change: what both have in common from the beginning
/// stays. Of the elements only the names are recorded, as in `StateName(ofCase:)`; that two are equal is
/// recorded, too.
public final class StackTrack: Track {
  /// The hashes of the elements that are shown.
  private var hashes: [Int] = []
  /// The first visits of elements, by their hashes.
  private var instances: [Int: VisitNumber] = [:]

  /// So many elements are told apart; after that each is new.
  private static let mostInstances = 1_024

  /// A track of a path that is empty.
  ///
  /// - Parameter name: what it is called in the history.
  public init(_ name: StateName) {
    super.init(name, kind: "stack", initial: nil, routes: nil)
  }

  /// The path has changed to this one.
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

  // An element itself is not kept: it would live longer, and a copy of the path would be copied when
  // it changes next.
  private static func hash(_ element: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(element)
    return hasher.finalize()
  }
}
