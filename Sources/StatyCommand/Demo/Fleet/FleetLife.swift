import Staty
import StatyHistory
import StatySpecimens

/// What happens on one device of a fleet while it is recorded.
struct FleetLife {
  private var dice: FleetDice
  private let device: FleetPlan.Device
  private let recording: FleetRecording
  private let feed: FleetScreen
  private let search: FleetScreen
  private let checkout: FleetScreen
  private let notices: FleetScreen
  private var isSearchStuck = false
  private var isCheckoutBroken = false
  private var requests: [String: UInt32] = [:]
  /// What was planted, as far as the session has come.
  private(set) var planted: [FleetPlan.Planted] = []

  init(_ device: FleetPlan.Device, in recording: FleetRecording) throws {
    self.device = device
    self.recording = recording
    dice = device.dice
    let clock = recording.clock
    feed = FleetScreen(.latest, clock)
    search = FleetScreen(.queue, clock)
    notices = FleetScreen(.priority, clock)
    checkout =
      device.hasNewCheckout ? FleetScreen(Staty2019.self, clock) : FleetScreen(.queue, clock)
    clock.advance(by: .milliseconds(dice.number(in: 50...400)))
    try attach(feed, "feed")
    try attach(search, "search")
    try attach(checkout, "checkout")
    try attach(notices, "notices")
  }

  private func attach(_ screen: FleetScreen, _ name: String) throws {
    try recording.attach(to: screen.recordable, as: name)
  }

  /// Lives it from its beginning to its end.
  mutating func live() throws {
    let own = dice.number(in: 1...3)
    for number in 1...dice.number(in: 4...9) {
      switch dice.number(in: 1...10) {
      case 1...4: browse()
      case 5...6: find()
      case 7...8: buy()
      default: notice()
      }
      if number == own, let fault = device.own { try play(fault) }
      rest(2_000...30_000)
    }
    // Whoever was told something has had the time to do it.
    wait(5_000)
  }
}

// MARK: Scenes

extension FleetLife {
  /// Content is loaded, each time anew.
  private mutating func browse() {
    for _ in 1...dice.number(in: 1...4) {
      ask(feed, "feed", "loading", enters: 80...200, exits: 120...260)
      rest(300...1_500)
      let content = device.version == FleetPlan.slowVersion ? 900...1_500 : 180...420
      ask(feed, "feed", "content", enters: content, exits: 100...250)
      rest(3_000...12_000)
    }
    guard dice.chance(15) else { return }
    ask(feed, "feed", "empty", enters: 80...200, exits: 100...250)
    rest(2_000...5_000)
  }

  /// Somebody looks for something; where results got stuck nobody can any more.
  private mutating func find() {
    if isSearchStuck { return browse() }
    ask(search, "search", "typing", enters: 60...150, exits: 80...200)
    rest(1_500...6_000)
    let isStuck = device.system == FleetPlan.stuckSystem && dice.chance(20)
    ask(search, "search", "results", enters: 200...600, exits: isStuck ? nil : 150...400)
    rest(2_500...9_000)
    ask(search, "search", "idle", enters: 60...150, exits: 80...200)
    if isStuck {
      isSearchStuck = true
      plant("never-exited", .exiting, requests["search", default: 0] - 1, at: "search")
    }
    rest(2_500...5_000)
  }

  /// Somebody buys; who is quick asks for the receipt before the payment is on the screen.
  private mutating func buy() {
    if isCheckoutBroken { return browse() }
    ask(checkout, "checkout", "cart", enters: 150...350, exits: 150...350)
    rest(2_500...9_000)
    let isQuick = dice.chance(30)
    let breaks = isQuick && device.hasNewCheckout
    // What has not come in has nothing to hide.
    ask(checkout, "checkout", "payment", enters: 200...500, exits: breaks ? nil : 200...500)
    if isQuick { wait(40) } else { rest(2_500...6_000) }
    ask(checkout, "checkout", "receipt", enters: 150...350, exits: 150...350)
    rest(3_000...8_000)
    guard breaks else { return }
    isCheckoutBroken = true
    let receipt = requests["checkout", default: 0]
    plant("exit-before-enter", .exiting, receipt - 1, at: "checkout")
    plant("never-entered", .enqueued, receipt, at: "checkout")
  }

  /// Two notices, the second more urgent.
  private mutating func notice() {
    ask(notices, "notices", "hint", enters: 80...200, exits: 100...200)
    rest(20...900)
    ask(notices, "notices", "warning", enters: 80...200, exits: 100...200, priority: 5)
    rest(2_500...6_000)
  }

  /// A fault of this device alone, as the demo shows it.
  private mutating func play(_ fault: FleetFault) throws {
    guard let scenario = SpecimenScenario.all.first(where: { $0.name == fault.scenario }) else {
      return
    }
    wait(2_000)
    let run = scenario.begin(at: 0)
    try recording.attach(to: run.controller.probe, as: "onboarding", on: run.clock)
    run.play()
    recording.goOn(from: run.clock)
    for mark in fault.marks { plant(mark.code, mark.kind, mark.visit, at: "onboarding") }
  }
}

// MARK: What scenes consist of

extension FleetLife {
  /// Somebody asks for a state that takes so many milliseconds to come in and to leave; without
  /// `exits` it does not leave.
  private mutating func ask(
    _ screen: FleetScreen, _ name: String, _ state: StateName, enters: ClosedRange<Int>,
    exits: ClosedRange<Int>?, priority: Int32 = 0
  ) {
    requests[name, default: 0] += 1
    screen.ask(
      FleetScreen.Scene(
        name: state, enters: .after(.milliseconds(dice.number(in: enters))),
        exits: exits.map { .after(.milliseconds(dice.number(in: $0))) } ?? .never,
        priority: priority))
  }

  private func wait(_ milliseconds: Int) {
    recording.clock.advance(by: .milliseconds(milliseconds))
  }

  private mutating func rest(_ milliseconds: ClosedRange<Int>) {
    wait(dice.number(in: milliseconds))
  }

  private mutating func plant(
    _ code: String, _ kind: EventKind, _ visit: UInt32, at controller: String
  ) {
    planted.append(
      FleetPlan.Planted(
        file: device.file, session: device.opening.uuid, code: code, controller: controller,
        event: recording.seq(of: kind, visit, at: controller) ?? 0))
  }
}
