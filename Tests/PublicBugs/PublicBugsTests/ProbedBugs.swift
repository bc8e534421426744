import PublicBugs
import Staty
import StatyRecorder
import StatyReplay
import StatyRules

// The bugs of classes that show one state after another.
extension PublicBug {
  static let presentation = PublicBug(
    description: "a screen is presented while another leaves", rule: .doubleExit,
    found: [.doubleExit]
  ) { version, order, recorder in
    final class Screen: PresentedScreen {
      let name: StateName
      var isLeaving = false
      init(_ name: StateName) { self.name = name }
      func present() {}
      func dismiss() { isLeaving = true }
    }
    let model = PresentationModel(version)
    recorder.attach(to: model.probe, as: "presentation")
    let (first, second) = (Screen("B"), Screen("C"))
    model.show(first)
    model.didAppear(first)
    model.close()
    if order == .harmless { model.didDisappear(first) }
    model.show(second)
    if order == .reported { model.didDisappear(first) }
    model.didAppear(second)
    return model
  } register: { registry, version in
    /// UIKit hands the dismissal of a screen that is leaving on to the one that has presented it.
    final class Stage { var isParentGone = false }
    final class Screen: PresentedScreen {
      let (script, stage): (ReplayState, Stage)
      var isLeaving = false
      var name: StateName { script.name }
      init(_ script: ReplayState, _ stage: Stage, _ model: PresentationModel) {
        (self.script, self.stage) = (script, stage)
        script.onCompletion = { [unowned self] completion in
          if completion == .entered { return model.didAppear(self) }
          isLeaving = false
          model.didDisappear(self)
        }
      }
      func present() { if !stage.isParentGone { script.enter() } }
      func dismiss() {
        if isLeaving { stage.isParentGone = true }
        isLeaving = true
        script.exit()
      }
    }
    registry.register("presentation") { context in
      let stage = Stage()
      let model = PresentationModel(version, probe: context.probe)
      return context.subject(makeState: { Screen($0, stage, model) }) { screen, _ in
        model.show(screen)
      }.receiving("close") { model.close() }
    }
  }

  static let banners = PublicBug(
    description: "an animation is interrupted", rule: .neverExited,
    found: [.neverEntered, .neverExited]
  ) { version, order, recorder in
    struct Timer: BannerTimer {
      let answers: Answers
      func schedule(_ step: @escaping () -> Void) { answers.wait(step) }
    }
    final class Slide: Banner {
      var done: (Bool) -> Void = { _ in }
      var isIn = false
      func slideIn() { isIn = true }
      func slideOut(_ done: @escaping (Bool) -> Void) { self.done = done }
    }
    let answers = Answers()
    let model = BannersModel(Timer(answers: answers), version)
    recorder.attach(to: model.probe, as: "banners")
    let (first, second) = (Slide(), Slide())
    model.show(first)
    model.didSlideIn(first)
    answers.come()
    if order == .harmless { first.done(true) }
    model.probe.received("background") { if order == .reported { first.done(false) } }
    model.show(second)
    if second.isIn { model.didSlideIn(second) }
    return model
  } register: { registry, version in
    struct Timer: BannerTimer {
      let context: ReplayContext
      func schedule(_ step: @escaping () -> Void) {
        _ = context.scheduler.schedule(after: .seconds(2), step)
      }
    }
    /// In the background, UIKit ends animations with `false`.
    final class Animations {
      var running: [ObjectIdentifier: (Bool) -> Void] = [:]
      func interrupt() {
        let all = running.values
        running = [:]
        for done in all { done(false) }
      }
    }
    final class Slide: Banner {
      let (script, animations): (ReplayState, Animations)
      init(_ script: ReplayState, _ animations: Animations, _ model: BannersModel) {
        (self.script, self.animations) = (script, animations)
        script.onCompletion = { [unowned self] completion in
          if completion == .entered { return model.didSlideIn(self) }
          animations.running.removeValue(forKey: ObjectIdentifier(self))?(true)
        }
      }
      func slideIn() { script.enter() }
      func slideOut(_ done: @escaping (Bool) -> Void) {
        animations.running[ObjectIdentifier(self)] = done
        script.exit()
      }
    }
    registry.register("banners") { context in
      let animations = Animations()
      let model = BannersModel(Timer(context: context), version, probe: context.probe)
      return context.subject(makeState: { Slide($0, animations, model) }) { banner, _ in
        model.show(banner)
      }
      .receiving("background") { model.probe.received("background") { animations.interrupt() } }
    }
  }

  static let purchases = PublicBug(
    description: "a second purchase without a payment", isByOutcome: false, rule: .overlap,
    found: [.overlap]
  ) { version, order, recorder in
    final class Transaction: StoreTransaction {
      func pay() {}
      func finish() {}
    }
    let model = PurchasesModel(version)
    recorder.attach(to: model.probe, as: "purchases")
    let (first, second) = (Transaction(), Transaction())
    model.buy(first)
    model.purchased(first)
    if order == .harmless { model.removed(first) }
    model.buy(second)
    if order == .reported { model.removed(first) }
    model.purchased(second)
    model.removed(second)
    return model
  } register: { registry, version in
    final class Transaction: StoreTransaction {
      let script: ReplayState
      init(_ script: ReplayState, _ model: PurchasesModel) {
        self.script = script
        script.onCompletion = { [unowned self] completion in
          completion == .entered ? model.purchased(self) : model.removed(self)
        }
      }
      func pay() { script.enter() }
      func finish() { script.exit() }
    }
    registry.register("purchases") { context in
      let model = PurchasesModel(version, probe: context.probe)
      return context.subject(makeState: { Transaction($0, model) }) { transaction, _ in
        model.buy(transaction)
      }
    }
  }
}
