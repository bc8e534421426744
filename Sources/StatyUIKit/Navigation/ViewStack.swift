#if canImport(UIKit)
  import Staty
  import UIKit

  /// The views on the screen, lowest first, and how each was shown.
  @MainActor final class ViewStack<ViewType: StateKey> {
    struct Entry {
      let view: ViewType
      // Weak: UIKit retains what it shows, and a view controller may retain this stack.
      weak var controller: UIViewController?
      let presentation: ViewPresentation
      /// The navigation controller that it was pushed on.
      weak var navigation: UINavigationController?
      /// The visit that showed it or went back to it; `nil` if it was adopted.
      var visit: Visit?
      /// Whether it is entering.
      var isComing = false
      /// Whether it exceeded its time limit to enter.
      ///
      /// It may be visible or not, and is removed with the next transition.
      var isGivenUp = false
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
    /// The last visit of each view controller, even if it has exited.
    private var known: [Known] = []
    /// The visit of the current transition.
    private(set) var moving: Visit?
    private(set) var wasShown = false
    /// The view that the user went to, while that is reported.
    var shownByUser: ViewType?

    /// Whether a visit that is told to exit has entered, or counts as entered by a deadline.
    var isTakenForIn: (VisitNumber) -> Bool = { _ in true }

    /// Reports the view that the user went to; it is already shown.
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

    /// Whether views were shown and all were removed.
    var isEmptied: Bool { wasShown && moving == nil && entries.allSatisfy(\.isGivenUp) }

    /// The visit of a view controller, or of one that contains it.
    func visit(of controller: UIViewController) -> Visit? {
      known.last { $0.controller === controller }?.visit ?? controller.parent.flatMap(visit(of:))
    }

    /// Whether the view of a visit has not been removed.
    func holds(_ visit: Visit) -> Bool { entries.contains { $0.visit?.number == visit.number } }

    /// Stores the visit that the view at a place is shown by.
    func note(_ visit: Visit, at place: Int) {
      wasShown = true
      entries[place].visit = visit
      entries[place].isComing = false
      let controller = entries[place].controller
      known.removeAll { $0.controller == nil || $0.controller === controller }
      known.append(Known(controller: controller, visit: visit))
    }
  }

  // MARK: Moves

  extension ViewStack {
    func show(_ view: ViewType, _ context: Any?, _ visit: Visit) {
      if shownByUser.take() == view { return finishEntering(at: entries.count - 1, visit) }
      // Without a root nothing can be shown, now or later.
      guard let root else { return visit.exited() }
      moving = visit
      // While the user pulls a sheet down, the result is open.
      PresentationTurn.rest(
        over: root,
        goingOn {
          self.whenDecided(
            self.goingOn { self.takeBackGivenUp { self.go(to: view, context, visit) } })
        })
    }

    private func go(to view: ViewType, _ context: Any?, _ visit: Visit) {
      let isTopGone = dropGone()
      if isTopGone, entries.last?.view == view {
        return finishEntering(at: entries.count - 1, visit)
      }
      if let place = entries.dropLast().lastIndex(where: { $0.view == view }) {
        note(visit, at: place)
        goBack(to: place) { self.finishEntering(visit) }
      } else {
        goForward(to: view, context, visit, isTopGone: isTopGone) { self.finishEntering(visit) }
      }
    }

    private func takeBackGivenUp(_ body: @escaping () -> Void) {
      guard let lowest = entries.firstIndex(where: \.isGivenUp) else { return body() }
      goBack(to: lowest - 1, body)
    }

    private func finishEntering(at place: Int, _ visit: Visit) {
      note(visit, at: place)
      finishEntering(visit)
    }

    // A view that was given up may still complete, and a view may complete twice. Both are
    // reported, and recorded as stray.
    private func finishEntering(_ visit: Visit) {
      if moving?.number == visit.number { stopMoving() }
      visit.entered()
      // The user may have gone back during the transition.
      noticeUserMoves()
    }

    /// A visit is told to exit.
    ///
    /// If its transition is still under way, it took too long.
    func exit(_ visit: Visit) {
      guard moving?.number == visit.number else { return }
      let last = entries.lastIndex(where: \.isComing)
      stopMoving()
      if let last, !isTakenForIn(visit.number) { entries[last].isGivenUp = true }
    }

    /// Ends the current transition, because it has completed or is no longer awaited.
    func stopMoving() {
      moving = nil
      for place in entries.indices { entries[place].isComing = false }
    }

    /// Returns a closure that continues the current transition once, and does nothing if another
    /// has begun.
    func goingOn(_ body: @escaping () -> Void) -> () -> Void {
      let number = moving?.number
      var isCalled = false
      return {
        if isCalled || self.moving?.number != number { return }
        isCalled = true
        body()
      }
    }

    /// Calls a body when no push or pop is in progress; now, if there is none.
    func whenSettled(_ navigation: UINavigationController, _ body: @escaping () -> Void) {
      guard let coordinator = navigation.transitionCoordinator else { return body() }
      coordinator.afterwards { self.whenSettled(navigation, body) }
    }
  }
#endif
