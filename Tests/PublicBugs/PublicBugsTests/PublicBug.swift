import PublicBugs
import Staty
import StatyReplay

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
  /// Whether another order ends in another way; otherwise every order shows the bug.
  var isByOutcome = true
  let record: @MainActor @Sendable (Version) -> Void
  let register: @MainActor @Sendable (inout ControllerRegistry, Version) -> Void

  static let all = [signOut, playback, hud, deepLink, twoAlerts, doublePop]
}

extension PublicBug {
  static let signOut = PublicBug(description: "a token is refreshed after sign-out") { version in
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

  static let playback = PublicBug(description: "pause while loading") { version in
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

  static let hud = PublicBug(description: "a dismissal overtakes the queued show") { version in
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

  static let deepLink = PublicBug(description: "a link during the restoring of tabs") { version in
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

  static let twoAlerts = PublicBug(
    description: "the dismissal of one alert removes the next", isByOutcome: false
  ) { version in
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
    struct Presenter: AlertPresenter {
      let context: ReplayContext
      func present(_ number: Int) {}
      func dismiss(_ number: Int, _ done: @escaping () -> Void) {
        context.asked("dismiss", number)
      }
    }
    registry.register("alerts") { context in
      let alerts = AlertModel(Presenter(context: context), version)
      return context.subject(of: alerts.track) { (message: AlertMessage) in alerts.send(message) }
    }
  }

  static let doublePop = PublicBug(description: "one pop removes two", isByOutcome: false) { version in
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
    for message in [PopMessage.push("list"), .push("detail"), .push("photo"), .pop] {
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
      let navigator = NavigatorModel(Stage(context), version)
      return context.subject(of: navigator.track) { (message: PopMessage) in
        navigator.send(message)
      }
    }
  }
}
