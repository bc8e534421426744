#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// Records what an app shows: pushed view controllers, the selected tab and presented sheets.
  ///
  /// ```swift
  /// let track = NavigationTrack(in: window, "navigation")
  /// ```
  ///
  /// Keep the track as long as you want to record. It needs no delegate: it looks whenever the main
  /// run loop has nothing to do. So it does not matter whether the app has delegates, or sets them
  /// later, or shows something from code. Call ``update()`` to record a change at once, for example
  /// inside the message that led to it.
  ///
  /// The history has one stack. A pushed or presented view controller lies on top of those below it;
  /// selecting another tab replaces what lies in the old one. If the app has a path for each stack, or
  /// a variable for its sheet, compare them with ``init(pushedOn:_:withRoot:)`` and
  /// ``init(presentedOn:_:)``.
  ///
  /// The name of a view controller is its type, unless it is a `NamedState`; a `UIHostingController` has
  /// the name of its SwiftUI view. A presented navigation controller has the name of its root view
  /// controller. A swipe back and a pulled sheet are
  /// messages: `swipe` when one begins, and `swipe ended` or `swipe cancelled`; what is shown changes
  /// when it has ended. Of several changes in one turn of the run loop, the last is recorded.
  @MainActor public final class NavigationTrack {
    /// The track that records the stack.
    fileprivate let track: StackTrack
    private let root: @MainActor () -> UIViewController?
    private let part: ShownPart
    private var shown: [Shown] = []
    private var known: [Known] = []
    private var lastNumber = 0
    private var watch: RunLoopWatch?
    /// Whether the user moves between two view controllers.
    private var isSwiping = false

    /// Starts to record all that is shown in a window, also after its root view controller was
    /// replaced.
    ///
    /// - Parameters:
    ///   - window: the window. It is not retained.
    ///   - name: the name in the history.
    public convenience init(in window: UIWindow, _ name: StateName) {
      self.init({ [weak window] in window?.rootViewController }, name, .everything)
    }

    /// Starts to record all that is shown in a view controller.
    ///
    /// - Parameters:
    ///   - root: a navigation controller, a tab bar controller, or any view controller that others
    ///     are presented on. It is not retained.
    ///   - name: the name in the history.
    public convenience init(_ root: UIViewController, _ name: StateName) {
      self.init({ [weak root] in root }, name, .everything)
    }

    /// Starts to record what is pushed on a navigation controller, and nothing that is presented.
    ///
    /// ```swift
    /// // var path: [Route] = [] { didSet { pathTrack.moved(to: path) } }
    /// let shown = NavigationTrack(pushedOn: navigationController, "path shown")
    /// pathTrack.mirrors(shown)
    /// ```
    ///
    /// The stack of a tab is recorded whether the tab is selected or not, because the app's path also
    /// stays while the user is in another tab.
    ///
    /// - Parameters:
    ///   - navigation: the navigation controller. It is not retained.
    ///   - name: the name in the history.
    ///   - withRoot: whether the root view controller belongs to the path.
    public convenience init(
      pushedOn navigation: UINavigationController, _ name: StateName, withRoot: Bool = false
    ) {
      self.init({ [weak navigation] in navigation }, name, .pushed(withRoot: withRoot))
    }

    /// Starts to record what is presented on a view controller, such as a sheet and an alert above it.
    ///
    /// ```swift
    /// // var sheet: Route? { didSet { sheetTrack.moved(to: [sheet].compactMap(\.self)) } }
    /// let shown = NavigationTrack(presentedOn: root, "sheet shown")
    /// sheetTrack.mirrors(shown)
    /// ```
    ///
    /// Each presented view controller is one element, whatever is pushed or selected inside it. Record
    /// the app's variable with a `StackTrack`: it is empty while nothing is presented.
    ///
    /// - Parameters:
    ///   - root: the view controller below the first sheet; usually the window's root. It is not
    ///     retained.
    ///   - name: the name in the history.
    public convenience init(presentedOn root: UIViewController, _ name: StateName) {
      self.init({ [weak root] in root }, name, .presented)
    }

    private init(
      _ root: @escaping @MainActor () -> UIViewController?, _ name: StateName, _ part: ShownPart
    ) {
      (self.root, self.part) = (root, part)
      track = StackTrack(shown: name)
      watch = RunLoopWatch { [weak self] in self?.update() }
    }

    /// Records what is shown now, if that has changed.
    public func update() {
      let root = root()
      let path = root.map(part.path) ?? []
      if root.map(part.isSwiped) ?? false {
        if !isSwiping { track.received("swipe") {} }
        isSwiping = true
      } else if isSwiping {
        // A sheet that the user has let go of is presented until its animation has ended.
        if isShown(path), root.map({ part.isMoving(from: $0) }) ?? false { return }
        isSwiping = false
        if isShown(path) {
          track.received("swipe cancelled") {}
        } else {
          track.received("swipe ended") { record(path) }
        }
      } else if !isShown(path) {
        record(path)
      }
    }

    private func record(_ path: [UIViewController]) {
      known.removeAll { $0.controller == nil }
      shown = path.map { Shown(number: number(of: $0), stateName: Self.name(of: $0)) }
      track.moved(to: shown)
    }

    private func isShown(_ path: [UIViewController]) -> Bool {
      shown.count == path.count
        && zip(shown, path).allSatisfy { shown, controller in
          known.contains { $0.number == shown.number && $0.controller === controller }
        }
    }

    /// A number that no other view controller gets, also none with the same address later.
    private func number(of controller: UIViewController) -> Int {
      if let known = known.first(where: { $0.controller === controller }) { return known.number }
      lastNumber += 1
      known.append(Known(controller: controller, number: lastNumber))
      return lastNumber
    }

    private static func name(of controller: UIViewController) -> StateName {
      if let named = controller as? any NamedState { return named.stateName }
      let first = (controller as? UINavigationController)?.viewControllers.first
      let type = type(of: controller)
      return first.map(name) ?? hostedName(in: String(describing: type)) ?? StateName(of: type)
    }

    /// The name of the SwiftUI view in the name of a hosting controller's type, without its modifiers:
    /// `ProfileView` in `UIHostingController<ModifiedContent<ProfileView, _PaddingLayout>>`.
    private static func hostedName(in type: String) -> StateName? {
      guard type.hasPrefix("UIHostingController<") else { return nil }
      let names = type.split { "<>,".contains($0) }.dropFirst()
      guard let view = names.first(where: { $0 != "ModifiedContent" }), view != "AnyView",
        view != "_ConditionalContent"
      else { return nil }
      return StateName(String(view))
    }

    /// An element of the recorded stack.
    private struct Shown: NamedState, Hashable {
      let number: Int
      let stateName: StateName
    }

    private struct Known {
      weak var controller: UIViewController?
      let number: Int
    }
  }

  extension NavigationTrack: Recordable {
    /// The source of the track's events.
    ///
    /// Add observers here.
    public var events: EventSource { track.events }
  }

  extension Track {
    /// Declares that what is shown should be the same as this track, such as a path.
    ///
    /// ```swift
    /// pathTrack.mirrors(navigationTrack)
    /// ```
    ///
    /// A track of all that is shown begins with the root view controller, and so must the path.
    ///
    /// The parameters are those of the function for two tracks. A view controller has the name of its
    /// type: let it be a `NamedState` with the name of its route.
    @MainActor public func mirrors(
      _ shown: NavigationTrack, within time: Duration = .seconds(1), isError: Bool = false
    ) {
      mirrors(shown.track, within: time, isError: isError)
    }
  }

  /// Calls a closure whenever the main run loop is about to wait.
  private final class RunLoopWatch {
    private let observer: CFRunLoopObserver?

    @MainActor init(_ body: @escaping @MainActor () -> Void) {
      let activity = CFRunLoopActivity.beforeWaiting.rawValue
      // Behind UIKit, which may still change what is shown.
      observer = CFRunLoopObserverCreateWithHandler(nil, activity, true, .max) { _, _ in
        MainActor.assumeIsolated(body)
      }
      CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
    }

    deinit {
      CFRunLoopObserverInvalidate(observer)
    }
  }
#endif
