import PublicBugs
import Staty
import StatyRecorder
import StatyReplay
import StatyRules

/// What has been asked of a double, until it answers.
@MainActor final class Answers {
  private var answers: [() -> Void] = []

  func wait(_ answer: @escaping () -> Void) { answers.append(answer) }

  /// Answers everything that was asked so far.
  func come() {
    while !answers.isEmpty { answers.removeFirst()() }
  }
}

/// A bug of a public tracker: how its model is recorded in a harmless run, and made again.
struct PublicBug: Sendable, CustomStringConvertible {
  let description: String
  /// Whether another order ends in another way, with nothing declared.
  var isByOutcome = true
  /// The rule that another order breaks, too.
  var rule: RuleCode?
  let record: @MainActor @Sendable (Version, HistoryRecorder) -> Void
  let register: @MainActor @Sendable (inout ControllerRegistry, Version) -> Void

  static let all = [
    presentation, twoAlerts, twoPushes, doublePop, hud, banners, signOut, playback, purchases,
    deepLink,
  ]
}

extension PublicBug {
  static let signOut = PublicBug(description: "a token is refreshed after sign-out") { version, _ in
    struct Server: TokenServer {
      let answers: Answers
      func refresh(_ user: String, _ done: @escaping (String) -> Void) {
        answers.wait { done(user) }
      }
    }
    let answers = Answers()
    let session = SessionModel(Server(answers: answers), version)
    for message in [SessionMessage.signIn("a"), .refresh, .signOut, .signIn("b")] {
      session.send(message)
      answers.come()
    }
  } register: { registry, version in
    struct Server: TokenServer {
      let context: ReplayContext
      func refresh(_ user: String, _ done: @escaping (String) -> Void) {
        context.asked("refresh", user)
      }
    }
    registry.register("session") { context in
      let session = SessionModel(Server(context: context), version)
      return context.subject(of: session.track) { (message: SessionMessage) in
        session.send(message)
      }
    }
  }

  static let playback = PublicBug(description: "pause while loading") { version, _ in
    struct Loader: MediaLoader {
      let answers: Answers
      func load(_ done: @escaping () -> Void) { answers.wait(done) }
    }
    let answers = Answers()
    let player = PlaybackModel(Loader(answers: answers), version)
    player.send(.load(playWhenReady: true))
    answers.come()
    player.send(.pause)
  } register: { registry, version in
    struct Loader: MediaLoader {
      let context: ReplayContext
      func load(_ done: @escaping () -> Void) { context.asked("load") }
    }
    registry.register("player") { context in
      let player = PlaybackModel(Loader(context: context), version)
      return context.subject(of: player.track) { (message: PlaybackMessage) in
        player.send(message)
      }
    }
  }

  static let hud = PublicBug(description: "a dismissal overtakes the queued show") { version, _ in
    struct MainQueue: PublicBugs.Queue {
      let answers: Answers
      func later(_ block: @escaping () -> Void) { answers.wait(block) }
    }
    let answers = Answers()
    let hud = HUDModel(MainQueue(answers: answers), version)
    hud.send(.show)
    answers.come()
    hud.send(.dismiss)
  } register: { registry, version in
    struct Later: PublicBugs.Queue {
      let context: ReplayContext
      func later(_ block: @escaping () -> Void) { context.asked("later") }
    }
    registry.register("hud") { context in
      let hud = HUDModel(Later(context: context), version)
      return context.subject(of: hud.track) { (message: HUDMessage) in hud.send(message) }
    }
  }

  static let deepLink = PublicBug(description: "a link during the restoring of tabs") {
    version, _ in
    struct Store: TabStore {
      let answers: Answers
      func restore(_ done: @escaping ([String]) -> Void) { answers.wait { done(["news"]) } }
    }
    let answers = Answers()
    let tabs = TabsModel(Store(answers: answers), version)
    tabs.send(.launch)
    answers.come()
    tabs.send(.open("weather"))
  } register: { registry, version in
    struct Store: TabStore {
      let context: ReplayContext
      func restore(_ done: @escaping ([String]) -> Void) { context.asked("restore") }
    }
    registry.register("tabs") { context in
      let tabs = TabsModel(Store(context: context), version)
      return context.subject(of: tabs.track) { (message: TabsMessage) in tabs.send(message) }
    }
  }

  static let twoPushes = PublicBug(description: "two pushes in quick succession") { version, _ in
    struct Updater: ScreenUpdater {
      let answers: Answers
      func update(_ done: @escaping () -> Void) { answers.wait(done) }
    }
    let answers = Answers()
    let screens = ScreensModel(Updater(answers: answers), version)
    for screen in [Screen.list, .detail] {
      screens.send(.push(screen))
      answers.come()
    }
  } register: { registry, version in
    struct Updater: ScreenUpdater {
      let context: ReplayContext
      func update(_ done: @escaping () -> Void) { context.asked("update", inOrder: true) }
    }
    registry.register("screens") { context in
      let screens = ScreensModel(Updater(context: context), version)
      return context.subject(of: screens.track) { (message: PushMessage) in screens.send(message) }
    }
  }

  static let twoAlerts = PublicBug(
    description: "the dismissal of one alert removes the next", isByOutcome: false, rule: .invariant
  ) { version, _ in
    struct Presenter: AlertPresenter {
      let answers: Answers
      func present(_ number: Int) {}
      func dismiss(_ number: Int, _ done: @escaping () -> Void) { answers.wait(done) }
    }
    let answers = Answers()
    let alerts = AlertModel(Presenter(answers: answers), version)
    alerts.send(.fail)
    alerts.send(.ok)
    answers.come()
  } register: { registry, version in
    final class Presenter: AlertPresenter {
      let context: ReplayContext
      var shown: Int?
      init(_ context: ReplayContext) { self.context = context }
      func present(_ number: Int) { shown = number }
      func dismiss(_ number: Int, _ done: @escaping () -> Void) {
        context.asked("dismiss", number)
        if shown == number { shown = nil }
      }
    }
    registry.register("alerts") { context in
      let presenter = Presenter(context)
      let alerts = AlertModel(presenter, version)
      return context.subject(of: alerts.track) { (message: AlertMessage) in alerts.send(message) }
        .atRest("the presented alert is the one of the model") {
          presenter.shown.map { .alert($0) } ?? .none == alerts.state
        }
    }
  }

  static let doublePop = PublicBug(
    description: "one pop removes two", isByOutcome: false, rule: .invariant
  ) { version, _ in
    final class Stage: NavigationStage {
      let answers = Answers()
      var count = 0
      func push() { count += 1 }
      func pop(_ done: @escaping () -> Void) {
        count -= 1
        answers.wait(done)
      }
    }
    let stage = Stage()
    let navigator = NavigatorModel(stage, version)
    for message in [PopMessage.push(.list), .push(.detail), .push(.photo), .pop] {
      navigator.send(message)
      stage.answers.come()
    }
  } register: { registry, version in
    final class Stage: NavigationStage {
      let context: ReplayContext
      var count = 0
      init(_ context: ReplayContext) { self.context = context }
      func push() { count += 1 }
      func pop(_ done: @escaping () -> Void) {
        count -= 1
        context.asked("pop")
      }
    }
    registry.register("path") { context in
      let stage = Stage(context)
      let navigator = NavigatorModel(stage, version)
      return context.subject(of: navigator.track) { (message: PopMessage) in
        navigator.send(message)
      }
      .atRest("the path is as long as the stack on the screen") {
        navigator.path.count == stage.count
      }
    }
  }
}
