public import Staty

/// A banner on the screen.
@MainActor public protocol Banner: AnyObject {
  func slideIn()
  /// Slides it out; `false` if the animation was interrupted.
  func slideOut(_ done: @escaping (Bool) -> Void)
}

/// Runs a step after a while.
@MainActor public protocol BannerTimer {
  func schedule(_ step: @escaping () -> Void)
}

/// A banner's animation is interrupted, and no banner comes ever again (SwiftMessages 46).
@MainActor public final class BannersModel {
  public let probe: ControllerProbe
  private var current: (any Banner)?
  private var waiting: [any Banner] = []
  private let timer: any BannerTimer
  private let version: Version

  public init(
    _ timer: any BannerTimer, _ version: Version,
    probe: ControllerProbe = ControllerProbe("gallery-banners")
  ) {
    (self.timer, self.version, self.probe) = (timer, version, probe)
  }

  public func show(_ banner: any Banner) {
    probe.requested(banner, named: "banner") {
      waiting.append(banner)
      showNext()
    }
  }

  public func didSlideIn(_ banner: any Banner) {
    probe.completed(.entered, banner) {
      timer.schedule(probe.deferred { [weak self] in self?.hide(banner) })
    }
  }

  private func hide(_ banner: any Banner) {
    guard current === banner else { return }
    probe.telling(.exit, banner) {
      banner.slideOut { [weak self] in self?.didSlideOut(banner, finished: $0) }
    }
  }

  private func didSlideOut(_ banner: any Banner, finished: Bool) {
    probe.completed(.exited, banner, finished: finished) {
      // Fixed: what counts is whether it is the current one, and not how its animation ended.
      guard version == .fixed ? current === banner : finished else { return }
      current = nil
      showNext()
    }
  }

  private func showNext() {
    guard current == nil, !waiting.isEmpty else { return }
    let banner = waiting.removeFirst()
    current = banner
    probe.telling(.enter, banner) { banner.slideIn() }
  }
}
