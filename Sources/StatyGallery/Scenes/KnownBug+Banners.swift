import Staty
import StatyReplay

extension KnownBug {
  package static let banners = KnownBug(
    name: "banners",
    symptom: "I switch to another app and come back, and no banner appears any more",
    report: "SwiftKickMobile/SwiftMessages #46", kind: "gallery-banners",
    decides: "whether a banner slides out to the end, or is interrupted",
    names: ["banner"]
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
      .user("the app goes to the background") { platform.interrupt() }
      .user("another message comes") { show() }
  } make: { context, version in
    let model = BannersModel(ReplayTimer(context: context), version, probe: context.probe)
    return context.subject(makeState: { script in
      let banner = Slide()
      banner.onSlideIn = { _ in script.enter() }
      banner.onSlideOut = { banner, done in
        banner.done = done
        script.exit()
      }
      script.onCompletion = { [unowned banner] completion in
        completion == .entered ? model.didSlideIn(banner) : banner.done(script.hasFinished)
      }
      return banner
    }) { (banner: Slide, _) in model.show(banner) }
  }
}

private final class Slide: Banner {
  var onSlideIn: (Slide) -> Void = { _ in }
  var onSlideOut: (Slide, @escaping (Bool) -> Void) -> Void = { _, _ in }
  var done: (Bool) -> Void = { _ in }
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
