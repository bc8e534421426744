#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// The one place that makes the transitions between an application's views.
  ///
  /// A view controller says which view it wants and passes a context. Only this controller knows how to get
  /// there, and whether that is allowed:
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
  /// If the view is below the current one, the views above it are popped, dismissed or removed. Any other view
  /// is shown on top, in the way that its presentation says. Transitions are made one after the other: a
  /// request made while a presentation is under way waits until it is over.
  ///
  /// When a user goes back or pulls a sheet down, the controller follows, whatever the routes say. If no route
  /// is declared for that, `staty check` reports it. For sheets that already have a delegate, and for views
  /// that other code removes, the controller notices it at the next request.
  @MainActor public final class TransitionController<ViewType: StateKey> {
    /// What is asked for.
    public typealias Destination = RouteDestination<ViewType>

    /// Called for a transition that no route allows, or whose context is not what the route needs.
    ///
    /// By default it traps in debug builds. The request is recorded as rejected in any case. A guard that
    /// refuses, or a view that asks too late, is no mistake and is only recorded.
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

    /// A controller for the views in this root.
    ///
    /// - Parameters:
    ///   - root: a navigation controller, if views are pushed. If it has no delegate, this controller becomes
    ///     its delegate, to know when the user goes back. The root is not retained and may retain this
    ///     controller.
    ///   - routes: the allowed transitions.
    ///   - presentation: how a view is shown on top of others.
    ///   - deadlines: how long a transition may take. A custom transition may never end, and UIKit presents
    ///     nothing outside of a window. A view exits as soon as it is told to, so only `entering` counts. A view
    ///     that is skipped is removed before the next transition.
    ///   - timer: measures the deadlines; needed if there are any.
    ///   - makeView: makes the view controller of a view. The context is of the type that the route needs. Its
    ///     `modalPresentationStyle` is set afterwards, to what `presentation` says.
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

    /// Adopts the views that the root already shows.
    ///
    /// The topmost becomes the current view, whatever the routes say, and you can go back to those below it.
    /// Does nothing if this controller already knows views.
    ///
    /// - Parameter viewType: says which view a view controller is, if it is one. It is asked about those that
    ///   are pushed or presented, and about children of the topmost.
    public func adopt(_ viewType: (UIViewController) -> ViewType?) {
      stack.adopt(viewType)
    }

    /// Requests a view.
    ///
    /// - Parameters:
    ///   - context: what the view needs.
    ///   - asking: the view controller whose code makes the request, if there is one.
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
    /// The transition controller of these views: this view controller's own, or that of a view controller that
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
