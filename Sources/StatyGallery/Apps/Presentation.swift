public import Staty

/// A screen that is presented over another.
@MainActor public protocol PresentedScreen: AnyObject {
  var name: StateName { get }
  /// Whether it is on its way out.
  var isLeaving: Bool { get }
  func present()
  func dismiss()
}

/// The next screen is presented while the last one leaves, and the parent is dismissed, too
/// (swift-navigation 254).
@MainActor public final class PresentationModel {
  public let probe: ControllerProbe
  private var top: (any PresentedScreen)?
  private var hasAppeared = false
  private var next: (any PresentedScreen)?
  private let version: Version

  public init(
    _ version: Version,
    probe: ControllerProbe = ControllerProbe("gallery-presentation", discipline: .stack)
  ) {
    (self.version, self.probe) = (version, probe)
  }

  /// Presents a screen in place of the current one.
  public func show(_ screen: any PresentedScreen) {
    probe.requested(screen, named: screen.name) {
      guard let top else { return enter(screen) }
      // Fixed: a screen that is coming or leaving must not be dismissed.
      if version == .fixed {
        if let next { probe.discarded(next, .replaced) }
        next = screen
        makeRoom()
      } else {
        leave(top)
        enter(screen)
      }
    }
  }

  /// The user closes the current screen.
  public func close() {
    probe.received("close") {
      if let top, hasAppeared, !top.isLeaving { leave(top) }
    }
  }

  public func didAppear(_ screen: any PresentedScreen) {
    probe.completed(.entered, screen) {
      hasAppeared = true
      if next != nil { makeRoom() }
    }
  }

  public func didDisappear(_ screen: any PresentedScreen) {
    probe.completed(.exited, screen) {
      if top === screen { top = nil }
      if let next = next.take() { enter(next) }
    }
  }

  private func makeRoom() {
    if let top, hasAppeared, !top.isLeaving { leave(top) }
  }

  private func enter(_ screen: any PresentedScreen) {
    (top, hasAppeared) = (screen, false)
    probe.telling(.enter, screen) { screen.present() }
  }

  private func leave(_ screen: any PresentedScreen) {
    probe.telling(.exit, screen) { screen.dismiss() }
  }
}
