#if canImport(UIKit)
  public import Staty
  import UIKit

  /// The views that are shown, lowest first, and how each came in.
  @MainActor public final class ViewStack<ViewType: StateKey> {
    struct Entry {
      let view: ViewType
      // Weak, as all that is shown here: who shows it keeps it, and it may keep who moves it.
      weak var controller: UIViewController?
      let presentation: ViewPresentation
      /// What it was pushed on.
      weak var navigation: UINavigationController?
      /// The visit by which it came in, or was come back to.
      var visit: Visit?
    }

    private struct Known {
      weak var controller: UIViewController?
      var visit: Visit
    }

    private(set) weak var root: UIViewController?
    var entries: [Entry] = []
    let presentation: (ViewType) -> ViewPresentation
    let makeView: (ViewType, Any?) -> UIViewController
    let watch = UserWatch()
    /// The visits by which controllers came in last, also of those that have left.
    private var known: [Known] = []
    private(set) var isMoving = false
    private var wasShown = false
    /// Where the user went to, while that is told.
    var arrival: ViewType?

    /// Tells of the view that a user went to, which is shown already.
    var onUserMove: (ViewType) -> Void = { _ in }

    init(
      root: UIViewController, presentation: @escaping (ViewType) -> ViewPresentation,
      makeView: @escaping (ViewType, Any?) -> UIViewController
    ) {
      self.root = root
      self.presentation = presentation
      self.makeView = makeView
      watch.onMove = { [weak self] in self?.noticeUserMoves(pulledDown: $0) }
    }

    var top: UIViewController? { entries.isEmpty ? root : entries.last?.controller }

    /// Whether views were shown, and all have been taken away.
    var isEmptied: Bool { wasShown && !isMoving && entries.isEmpty }

    /// The visit by which a controller came in, or whoever it is inside of.
    func visit(of controller: UIViewController) -> Visit? {
      known.last { $0.controller === controller }?.visit ?? controller.parent.flatMap(visit(of:))
    }

    func show(_ view: ViewType, _ context: Any?, _ visit: Visit) {
      if arrival.take() == view { return arrive(visit) }
      // Without a root there is nothing to come in on, nor will there be.
      guard let root else { return visit.exited() }
      isMoving = true
      // While a user pulls a sheet down, nobody knows what will be there in the end.
      PresentationTurn.rest(over: root) {
        self.whenDecided { self.go(to: view, context, visit) }
      }
    }

    private func go(to view: ViewType, _ context: Any?, _ visit: Visit) {
      if dropGone(), entries.last?.view == view { return arrive(visit) }
      if let place = entries.dropLast().lastIndex(where: { $0.view == view }) {
        goBack(to: place) { self.arrive(visit) }
      } else {
        goForward(to: view, context) { self.arrive(visit) }
      }
    }

    private func arrive(_ visit: Visit) {
      (isMoving, wasShown) = (false, true)
      if !entries.isEmpty { entries[entries.count - 1].visit = visit }
      let top = top
      known.removeAll { $0.controller == nil || $0.controller === top }
      known.append(Known(controller: top, visit: visit))
      visit.entered()
    }

    /// Does something when no push or pop is under way there; now, if none is.
    func whenSettled(_ navigation: UINavigationController, _ body: @escaping () -> Void) {
      guard let coordinator = navigation.transitionCoordinator else { return body() }
      coordinator.afterwards { self.whenSettled(navigation, body) }
    }
  }
#endif
