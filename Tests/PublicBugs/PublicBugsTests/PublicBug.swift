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

  /// Answers before the user goes on, in a harmless run.
  func come(in order: PublicBug.Order) {
    if order == .harmless { come() }
  }
}

/// A bug of a public tracker: how its model is recorded in a harmless run, and made again.
struct PublicBug: Sendable, CustomStringConvertible {
  let description: String
  /// Whether another order ends in another way, with nothing declared.
  var isByOutcome = true
  /// The rule that another order breaks, too.
  var rule: RuleCode?
  /// The tracks that are recorded beside the model: they say what the platform shows.
  var beside: Set<String> = []
  /// What a check of the reported order finds, and what it notes; one of them is enough.
  var found: [RuleCode] = []
  var noted: [RuleCode] = []
  /// Uses a version in an order, while it is recorded.
  ///
  /// Returns what has to stay alive as long as the app runs.
  let record: @MainActor @Sendable (Version, Order, HistoryRecorder) -> Any
  let register: @MainActor @Sendable (inout ControllerRegistry, Version) -> Void

  /// In which order the answers come.
  enum Order {
    /// The user waits for each.
    case harmless
    case reported
  }

  static let all = [
    presentation, twoAlerts, twoPushes, doublePop, hud, banners, signOut, playback, purchases,
    deepLink,
  ]
}

extension PublicBug {
  static let signOut = PublicBug(
    description: "a token is refreshed after sign-out", found: [.lateAnswer]
  ) {
    version, order, _ in
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
      answers.come(in: order)
    }
    answers.come()
    return session
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

  static let playback = PublicBug(description: "pause while loading", noted: [.lateAnswer]) {
    version, order, _ in
    struct Loader: MediaLoader {
      let answers: Answers
      func load(_ done: @escaping () -> Void) { answers.wait(done) }
    }
    let answers = Answers()
    let player = PlaybackModel(Loader(answers: answers), version)
    player.send(.load(playWhenReady: true))
    answers.come(in: order)
    player.send(.pause)
    answers.come()
    return player
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

  static let hud = PublicBug(
    description: "a dismissal overtakes the queued show", noted: [.lateAnswer]
  ) {
    version, order, _ in
    struct MainQueue: PublicBugs.Queue {
      let answers: Answers
      func later(_ block: @escaping () -> Void) { answers.wait(block) }
    }
    let answers = Answers()
    let hud = HUDModel(MainQueue(answers: answers), version)
    hud.send(.show)
    answers.come(in: order)
    hud.send(.dismiss)
    answers.come()
    return hud
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

  static let deepLink = PublicBug(
    description: "a link during the restoring of tabs", found: [.lateAnswer]
  ) {
    version, order, _ in
    struct Store: TabStore {
      let answers: Answers
      func restore(_ done: @escaping ([String]) -> Void) { answers.wait { done(["news"]) } }
    }
    let answers = Answers()
    let tabs = TabsModel(Store(answers: answers), version)
    tabs.send(.launch)
    answers.come(in: order)
    tabs.send(.open("weather"))
    answers.come()
    return tabs
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

  static let twoPushes = PublicBug(
    description: "two pushes in quick succession", beside: ["path"], found: [.mirror]
  ) {
    version, order, _ in
    struct Updater: ScreenUpdater {
      let answers: Answers
      func update(_ done: @escaping () -> Void) { answers.wait(done) }
    }
    let answers = Answers()
    let screens = ScreensModel(Updater(answers: answers), version)
    for screen in [Screen.list, .detail] {
      screens.send(.push(screen))
      answers.come(in: order)
    }
    answers.come()
    return screens
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
    description: "the dismissal of one alert removes the next", isByOutcome: false,
    rule: .invariant,
    beside: ["presented"], found: [.mirror]
  ) {
    version, order, _ in
    final class Presenter: AlertPresenter {
      let answers = Answers()
      let track = StateTrack("presented", AlertModel.State.none)
      private var shown = AlertModel.State.none { didSet { track.moved(to: shown) } }
      func present(_ number: Int) { shown = .alert(number) }
      func dismiss(_ number: Int, _ done: @escaping () -> Void) {
        if shown == .alert(number) { shown = .none }
        answers.wait(done)
      }
    }
    let presenter = Presenter()
    let alerts = AlertModel(presenter, version)
    alerts.track.mirrors(presenter.track)
    alerts.send(.fail)
    alerts.send(.ok)
    presenter.answers.come()
    return (alerts, presenter)
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
    description: "one pop removes two", isByOutcome: false, rule: .invariant, beside: ["shown"],
    found: [.mirror]
  ) {
    version, order, _ in
    final class Stage: NavigationStage {
      let answers = Answers()
      let track = StackTrack("shown")
      private var screens: [Screen] = [] { didSet { track.moved(to: screens) } }
      var count: Int { screens.count }
      func push(_ screen: Screen) { screens.append(screen) }
      func pop(_ done: @escaping () -> Void) {
        screens.removeLast()
        answers.wait(done)
      }
    }
    let stage = Stage()
    let navigator = NavigatorModel(stage, version)
    navigator.track.mirrors(stage.track)
    for message in [PopMessage.push(.list), .push(.detail), .push(.photo), .pop] {
      navigator.send(message)
      stage.answers.come()
    }
    return (navigator, stage)
  } register: { registry, version in
    final class Stage: NavigationStage {
      let context: ReplayContext
      var count = 0
      init(_ context: ReplayContext) { self.context = context }
      func push(_ screen: Screen) { count += 1 }
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
