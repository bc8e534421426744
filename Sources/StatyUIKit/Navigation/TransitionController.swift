#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// Makes all transitions between an application's views.
  ///
  /// A view controller says which view it wants and passes a context. Only this controller knows
  /// how to get there, and whether that is allowed:
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
  /// If the view is below the current one, the views above it are popped, dismissed or removed. Any
  /// other view is shown on top, as its presentation says. Transitions are made one after the
  /// other: a request that is made during a transition is pending until the transition has ended.
  ///
  /// When the user goes back or pulls a sheet down, the controller follows, whatever the routes
  /// say. If no route is declared for that, `staty check` reports it. For sheets that already have
  /// a delegate, and for views that other code removes, the controller notices it at the next
  /// request.
  @MainActor public final class TransitionController<ViewType: StateKey> {
    /// A destination of a request.
    public typealias Destination = RouteDestination<ViewType>

    /// Called for a request that no route allows, or that does not have the context that the route
    /// needs.
    ///
    /// By default it traps in debug builds. The request is always recorded as `rejected`. A refusal
    /// by a guard and a request that comes too late are not programming errors and are only
    /// recorded.
    public var onImpossible: (StateName, Refusal) -> Void = { state, refusal in
      assertionFailure(
        "\(refusal.description(for: state)). Declare the route, or do not ask for the view here.")
    }

    /// The declared routes.
    ///
    /// Print its ``RouteTable/dot`` or ``RouteTable/mermaid`` to see the graph. A recording
    /// contains it too.
    public let routes: RouteTable

    private let routed: RoutedController<ViewType, ViewStack<ViewType>>
    private let stack: ViewStack<ViewType>
    private let watch = RefusalWatch()

    /// Creates a controller for the views in a root view controller.
    ///
    /// - Parameters:
    ///   - root: a navigation controller, if views are pushed. If it has no delegate, this
    ///     controller becomes its delegate, to notice when the user goes back. The root is not
    ///     retained and may retain this controller.
    ///   - routes: the allowed transitions.
    ///   - presentation: how a view is shown on top of others.
    ///   - deadlines: the time limit for a transition. Use one if a custom transition may never
    ///     end, or because UIKit presents nothing outside of a window. A view exits at once when it
    ///     is told to, so only `entering` has an effect. A view that is skipped is removed before
    ///     the next transition.
    ///   - timer: measures the deadlines; required if there are any.
    ///   - makeView: creates the view controller of a view. The context has the type that the route
    ///     needs. The controller then sets `modalPresentationStyle` as `presentation` says.
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

    /// The view that was shown last; `nil` before the first, and after the user has left all views.
    public var current: ViewType? { stack.isEmptied ? nil : routed.currentKey }

    /// Whether a transition is in progress.
    public var isMoving: Bool { routed.states.isTransitioning }

    /// Adopts the views that the root already shows.
    ///
    /// The topmost becomes the current view, whatever the routes say, and you can go back to those
    /// below it. Does nothing if this controller already knows views.
    ///
    /// - Parameter viewType: returns the view of a view controller; `nil` if it is not one of the
    ///   views. It is called for pushed and presented view controllers, and for the children of the
    ///   topmost.
    public func adopt(_ viewType: (UIViewController) -> ViewType?) {
      stack.adopt(viewType)
    }

    /// Requests a view.
    ///
    /// - Parameters:
    ///   - view: the view to show.
    ///   - context: the data for the view.
    ///   - asking: the view controller that makes the request, if there is one.
    ///   - file: the file of the call site.
    ///   - line: the line of the call site.
    /// - Returns: the number of the request's visit.
    @discardableResult
    public func show(
      _ view: ViewType, context: Any? = nil, from asking: UIViewController? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> VisitNumber {
      show(to: .state(view), context: context, from: asking, file: file, line: line)
    }

    /// Requests a destination: a view, `previous` or `next`.
    ///
    /// `previous` and `next` are rejected if the view controller that requests them has exited. So
    /// a double tap on a back button goes back once.
    @discardableResult
    public func show(
      to destination: Destination, context: Any? = nil, from asking: UIViewController? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> VisitNumber {
      // A deadline may have forced the view to count as entered.
      if !isMoving { stack.stopMoving() }
      stack.noticeUserMoves()
      let origin = asking.flatMap(stack.visit(of:))
      if stack.isEmptied, case .state(let view) = destination {
        // The first routes apply again. A view that was given up may still be visible.
        return routed.showAnew(
          view, context: context, origin: origin.flatMap { stack.holds($0) ? nil : $0 },
          file: file, line: line)
      }
      return routed.show(
        to: destination, context: context, origin: origin, file: file, line: line)
    }
  }

  extension TransitionController: Recordable {
    /// The source of the controller's events.
    ///
    /// Add observers here.
    public var events: EventSource { routed.events }
  }

  /// A view controller that owns the transition controller of the view controllers inside it;
  /// usually the root.
  @MainActor public protocol TransitionControllerProvider: UIViewController {
    /// The type of the keys of views.
    associatedtype ViewType: StateKey
    /// The transition controller.
    var transitions: TransitionController<ViewType> { get }
  }

  extension UIViewController {
    /// Returns the transition controller for a type of views.
    ///
    /// It belongs to this view controller, or to the nearest view controller that contains or
    /// presents it.
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
