#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// One place that moves between the views of an application.
  ///
  /// A view controller says which view it wants and hands over what that needs; how one gets there,
  /// and whether one may, is known here alone:
  ///
  /// ```swift
  /// transitions = TransitionController(root: navigation, routes: routes) { view in
  ///   view == .settings ? .modal(.pageSheet) : .push
  /// } makeView: { view, context in … }
  ///
  /// // in any view controller:
  /// transitionController(for: Screen.self)?.show(.detail, context: item, from: self)
  /// transitionController(for: Screen.self)?.show(to: .previous, from: self)
  /// ```
  ///
  /// A view that is below the present one is gone back to: what lies above it is popped, dismissed,
  /// taken out. Any other comes in on top, as its presentation says. One move is made after the
  /// other: what is asked for while a presentation is under way waits until it is over.
  ///
  /// A user who goes back by himself or pulls a sheet down is followed, whatever the routes: it has
  /// happened. Where no route is declared for it, `staty check` says so. For sheets that have a
  /// delegate already, and for what code takes away, that comes at the next request.
  @MainActor public final class TransitionController<ViewType: StateKey> {
    /// What is asked for.
    public typealias Destination = RouteDestination<ViewType>

    /// What is called for a move that no route allows, or whose context is not what the route needs.
    ///
    /// Traps in debug builds, unless something else is set; the request is recorded as rejected in any
    /// case. A guard that says no, or a view that asks too late, is no mistake and is only recorded.
    public var onImpossible: (StateName, Refusal) -> Void = { state, refusal in
      assertionFailure(
        "\(refusal.description(for: state)). Declare the route, or do not ask for the view here.")
    }

    /// The declared moves: what there is to know of how views follow each other.
    ///
    /// Print its ``RouteTable/dot`` or ``RouteTable/mermaid`` to see the graph; a recording has it too.
    public let routes: RouteTable

    private let routed: RoutedController<ViewType, ViewStack<ViewType>>
    private let stack: ViewStack<ViewType>
    private let watch = RefusalWatch()

    /// A controller of the views that are shown in this root.
    ///
    /// - Parameters:
    ///   - root: a navigation controller, if views are pushed. If nobody else is its delegate, this
    ///     controller is, so as to know when the user goes back. It is not kept alive and may keep
    ///     this controller.
    ///   - routes: which moves there are.
    ///   - presentation: how a view comes in on top of others.
    ///   - deadlines: how long a move may take: one in a way of an app's own may never say that it is
    ///     over, and nothing is presented outside of a window. A view is out as soon as it is told to
    ///     leave, so only `entering` counts. One that is skipped is taken away before the next move.
    ///   - timer: what measures the deadlines; needed if there are any.
    ///   - makeView: makes a view controller that comes in. It may rely on the context being what the
    ///     route needs. Its `modalPresentationStyle` is set afterwards, to what `presentation` says.
    public init(
      root: UIViewController, routes: Routes<ViewType>,
      presentation: @escaping (ViewType) -> ViewPresentation = { _ in .push },
      deadlines: Deadlines = .none, timer: (any TransitionTimer)? = nil,
      makeView: @escaping (ViewType, Any?) -> UIViewController
    ) {
      self.routes = routes.table
      stack = ViewStack(root: root, presentation: presentation, makeView: makeView)
      routed = RoutedController(routes: routes, deadlines: deadlines, timer: timer) {
        ViewState(view: $0, context: $1)
      }
      routed.states.bind(to: stack)
      watch.onRefusal = { [weak self] state, refusal in
        switch refusal {
        case .noRoute, .context: self?.onImpossible(state, refusal)
        case .busy, .guarded, .objection: break
        }
      }
      routed.events.add(watch)
      stack.isTakenForIn = { [weak routed] in
        routed?.states.currentVisit == $0 && routed?.states.phase == .exiting
      }
      stack.onUserMove = { [weak routed] in _ = routed?.follow(to: $0) }
    }

    /// The view that was shown last; `nil` before the first, and when a user has left all.
    public var current: ViewType? { stack.isEmptied ? nil : routed.currentKey }

    /// Whether a move is under way.
    public var isMoving: Bool { routed.states.isTransitioning }

    /// Takes the views that the root shows already for shown, by whoever.
    ///
    /// The topmost is then the present view, whatever the routes, and those below it can be gone back
    /// to. Does nothing while views are there that this controller knows.
    ///
    /// - Parameter viewType: which view a controller is, if it is one: asked of those that are pushed,
    ///   presented, and children of the topmost.
    public func adopt(_ viewType: (UIViewController) -> ViewType?) {
      stack.adopt(viewType)
    }

    /// Asks for a view.
    ///
    /// - Parameters:
    ///   - context: what is handed over to it.
    ///   - asking: the view controller whose code asks, if one does.
    @discardableResult
    public func show(
      _ view: ViewType, context: Any? = nil, from asking: UIViewController? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> VisitNumber {
      show(to: .state(view), context: context, from: asking, file: file, line: line)
    }

    /// Asks for a destination, which may mean different views in different places.
    ///
    /// Asked for by a view controller that has left, `previous` and `next` are refused: back tapped
    /// twice goes back once.
    @discardableResult
    public func show(
      to destination: Destination, context: Any? = nil, from asking: UIViewController? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> VisitNumber {
      // A deadline may have forced the view in.
      if !isMoving { stack.stopMoving() }
      stack.noticeUserMoves()
      if stack.isEmptied, case .state(let view) = destination {
        // The first routes apply again.
        return routed.showAnew(view, context: context, file: file, line: line)
      }
      return routed.show(
        to: destination, context: context, origin: asking.flatMap(stack.visit(of:)),
        file: file, line: line)
    }
  }

  extension TransitionController: Recordable {
    /// Where observers are told what happens here.
    public var events: EventSource { routed.events }
  }

  /// A view controller that has the transition controller of those inside it, mostly the root.
  @MainActor public protocol TransitionControllerProvider: UIViewController {
    /// What tells views apart.
    associatedtype ViewType: StateKey
    /// Moves between them.
    var transitions: TransitionController<ViewType> { get }
  }

  extension UIViewController {
    /// The transition controller of these views: this view controller's own, or that of whoever
    /// contains or presents it.
    public func transitionController<ViewType: StateKey>(
      for views: ViewType.Type
    ) -> TransitionController<ViewType>? {
      if let provider = self as? any TransitionControllerProvider,
        let found = provider.erased as? TransitionController<ViewType>
      {
        return found
      }
      return (parent ?? presentingViewController)?.transitionController(for: views)
    }
  }

  extension TransitionControllerProvider {
    fileprivate var erased: AnyObject { transitions }
  }
#endif
