import Checkout
import Notices
import StatyTesting
import Testing

/// The controllers of the guides without their bugs, used in a random way a thousand times.
@MainActor @Suite struct RandomUseTests {
  /// Numbers that are the same for a seed.
  private struct Dice: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var number = (seed ^ seed >> 30) &* 0xBF58_476D_1CE4_E5B9
      number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
      return number ^ number >> 31
    }

    mutating func flips() -> Bool { .random(using: &self) }
  }

  /// What a state was told and has not reported, and whether it is on the screen.
  private final class Screen {
    var owed: Completion?
    var isShown = false
    /// Whether it may be closed by the user now.
    var isOpen: Bool { isShown && owed == nil }

    /// Reports what it was told, or that the user has closed it.
    func report(_ tell: (Completion) -> Void) {
      let completion = owed ?? .exited
      owed = nil
      isShown = completion == .entered
      tell(completion)
    }
  }

  private final class Step: CheckoutStep {
    let screen = Screen()
    override func enter() { screen.owed = .entered }
    override func exit() { screen.owed = .exited }
    func report() {
      screen.report { $0 == .entered ? checkout?.didEnter(self) : checkout?.didExit(self) }
    }
  }

  private final class Message: Notice {
    let screen = Screen()
    override func enter() { screen.owed = .entered }
    override func exit() { screen.owed = .exited }
    func report() {
      screen.report { $0 == .entered ? notices?.didEnter(self) : notices?.didExit(self) }
    }
  }

  /// Uses a controller in random ways, each time another one.
  ///
  /// - Parameter make: makes a controller, and returns its events and what can be done with it: to
  ///   request a state, to let one report something, and to drop those that wait.
  private func use(
    _ make: () -> (
      probe: ControllerProbe, request: () -> Void, screens: () -> [(Screen, () -> Void)],
      drop: () -> Void, later: () -> Bool
    )
  ) {
    for seed in 0..<UInt64(1_000) {
      var dice = Dice(seed: seed)
      let used = make()
      var found: [String] = []
      let monitor = OrderingMonitor(
        of: used.probe, as: "\(seed)", then: .call { found.append("\($0)") })
      var left = Int.random(in: 1...10, using: &dice)
      while true {
        let able = used.screens().filter { $0.0.owed != nil || $0.0.isOpen && left > 0 }
        let owing = able.filter { $0.0.owed != nil }
        if left > 0, owing.isEmpty || dice.flips() {
          left -= 1
          if dice.flips() {
            used.request()
          } else if dice.flips() {
            able.randomElement(using: &dice)?.1()
          }
          if Int.random(in: 0..<8, using: &dice) == 0 { used.drop() }
        } else if let next = owing.randomElement(using: &dice) {
          next.1()
        } else if !used.later(), left == 0 {
          break
        }
        if dice.flips() { _ = used.later() }
      }
      #expect(found.isEmpty, "use \(seed)")
      monitor.stop()
    }
  }

  @Test func `the checkout that waits for transitions breaks no rule`() {
    use {
      let checkout = CheckoutController(isFixed: true)
      var steps: [Step] = []
      return (
        checkout.probe,
        {
          let step = Step(StateName("step \(steps.count)"))
          steps.append(step)
          checkout.show(step)
        }, { steps.map { step in (step.screen, { step.report() }) } }, {}, { false }
      )
    }
  }

  @Test func `the notices that wait for transitions break no rule`() {
    use {
      var steps: [() -> Void] = []
      let notices = NoticeController(isFixed: true) { steps.append($0) }
      var all: [Message] = []
      return (
        notices.probe,
        {
          let notice = Message(StateName("notice \(all.count)"))
          all.append(notice)
          notices.show(notice)
        }, { all.map { notice in (notice.screen, { notice.report() }) } },
        { notices.dropWaiting() },
        {
          guard !steps.isEmpty else { return false }
          steps.removeFirst()()
          return true
        }
      )
    }
  }
}
