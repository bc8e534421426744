import Staty
import StatyReplay

extension KnownBug {
  package static let banners = KnownBug(
    name: "banners", symptom: "After the app was in the background, no banner comes any more.",
    report: "SwiftKickMobile/SwiftMessages #46", kind: "gallery-banners",
    decides: "whether the app goes to the background while a banner slides out"
  ) { version in
    let platform = Platform()
    let model = BannersModel(Timer(surroundings: platform), version)
    @MainActor func show() {
      let banner = Slide()
      banner.onSlideIn = { banner in platform.asked("slide in") { model.didSlideIn(banner) } }
      banner.onSlideOut = { _, done in
        platform.animates({ done(true) }, interrupted: { done(false) })
      }
      model.show(banner)
    }
    return Scene(platform, ("gallery-banners", model.probe))
      // It slides in, and its time is over: it slides out.
      .user("a message comes", answers: 2) { show() }
      .user("the app goes to the background") {
        model.probe.received("background") { platform.interrupt() }
      }
      .user("another message comes") { show() }
  } make: { context, version in
    let animations = Animations()
    let model = BannersModel(ReplayTimer(context: context), version, probe: context.probe)
    return context.subject(makeState: { script in
      let banner = Slide()
      banner.onSlideIn = { _ in script.enter() }
      banner.onSlideOut = { banner, done in
        animations.running[ObjectIdentifier(banner)] = done
        script.exit()
      }
      script.onCompletion = { [unowned banner] completion in
        if completion == .entered { return model.didSlideIn(banner) }
        animations.running.removeValue(forKey: ObjectIdentifier(banner))?(true)
      }
      return banner
    }) { (banner: Slide, _) in model.show(banner) }
    .receiving("background") { model.probe.received("background") { animations.interrupt() } }
  }
}

private final class Slide: Banner {
  var onSlideIn: (Slide) -> Void = { _ in }
  var onSlideOut: (Slide, @escaping (Bool) -> Void) -> Void = { _, _ in }
  func slideIn() { onSlideIn(self) }
  func slideOut(_ done: @escaping (Bool) -> Void) { onSlideOut(self, done) }
}

private struct Timer: BannerTimer {
  let surroundings: any Surroundings
  func schedule(_ step: @escaping () -> Void) { surroundings.asked("timer", answer: step) }
}

private struct ReplayTimer: BannerTimer {
  let context: ReplayContext
  func schedule(_ step: @escaping () -> Void) {
    _ = context.scheduler.schedule(after: .seconds(2), step)
  }
}

/// The animations of a replay, which end with `false` in the background.
private final class Animations {
  var running: [ObjectIdentifier: (Bool) -> Void] = [:]

  func interrupt() {
    let all = running.values
    running = [:]
    for done in all { done(false) }
  }
}
