import Staty
import StatyRecorder
import StatyReplay
import StatyRules
import Testing

/// One of the classes, how its fault is shown, and what is left when everything else is taken out.
struct Stranger: CustomTestStringConvertible, Sendable {
  let name: String
  let kind: Board.Type
  var discipline = Discipline.inOrder
  let rule: RuleCode
  /// The sentence of the finding.
  let sentence: String
  /// Uses that show the fault, and that do not.
  let faulty: @Sendable (Use) -> Void
  let clean: @Sendable (Use) -> Void
  /// The fewest requests with which it shows, by their states, and how many cancellations.
  let leastRequests: [StateName]
  var leastCancels = 0
  /// What is asked of the fixed class, where what it shows at the end depends on when states answer, as
  /// it is meant to: with the most urgent of those that wait, with a request that is cancelled before
  /// or after it got its turn, and with a state that takes too long.
  var differs: String?

  var testDescription: String { name }
  var fixed: String { name + "-fixed" }

  /// A board in use.
  struct Use {
    let board: Board
    let clock: ManualClock
    let a = Sheet("a")
    let b = Sheet("b")
    let c = Sheet("c")

    func show(_ sheet: Sheet, _ urgency: Int32 = 0) { board.show(sheet, urgency: urgency) }

    /// Shows a sheet where nothing is under way; the one before exits.
    func show(_ sheet: Sheet, after before: Sheet?) {
      board.show(sheet)
      clock.advance(by: .zero)
      before?.hasExited()
      sheet.hasEntered()
    }

    /// The one before exits, and this one has entered.
    func change(_ before: Sheet, to next: Sheet) {
      before.hasExited()
      next.hasEntered()
    }

    /// One after the other, so that none waits.
    func showAll() {
      show(a, after: nil)
      show(b, after: a)
      show(c, after: b)
    }
  }

  /// Records a use of the class.
  func record(
    _ use: (Use) -> Void, isRight: Bool = false, to path: String
  ) throws {
    let clock = ManualClock()
    let recorder = try HistoryRecorder(at: path)
    let board = kind.init(
      ControllerProbe(StateName(name), discipline: discipline), isRight: isRight, timer: clock)
    recorder.attach(to: board, as: "board")
    use(Use(board: board, clock: clock))
    recorder.close()
  }
}

extension ControllerRegistry {
  /// A registry with each class twice: with its fault, and fixed.
  static var strangers: ControllerRegistry {
    var registry = ControllerRegistry()
    for one in Stranger.all + Stranger.harder {
      for (name, isRight) in [(one.name, false), (one.fixed, true)] {
        registry.register(name) { context in
          let board = one.kind.init(context.probe, isRight: isRight, timer: context.scheduler)
          return context.subject(
            makeState: ScriptedSheet.init,
            cancelState: { sheet in board.cancel(sheet) },
            request: { sheet, request in board.show(sheet, urgency: request.priority) })
        }
      }
    }
    return registry
  }
}

extension Stranger {
  /// Classes with recordings that say more than what a test did.
  static let harder = [
    Stranger(
      name: "timed", kind: TimedBoard.self, rule: .neverEntered, sentence: "",
      faulty: { use in
        use.show(use.a, after: nil)
        use.show(use.b)
        use.show(use.c)
        use.clock.advance(by: .zero)
        use.change(use.a, to: use.b)
        use.b.hasEntered()
      }, clean: { $0.showAll() }, leastRequests: []),
    Stranger(
      name: "reporting", kind: ReportingBoard.self, rule: .outOfOrder, sentence: "",
      faulty: { use in
        use.show(use.a, after: nil)
        use.show(use.b)
        use.show(use.c)
        use.a.hasExited()
        use.change(use.c, to: use.b)
      }, clean: { $0.showAll() }, leastRequests: []),
  ]

  static let all = [
    Stranger(
      name: "urgent", kind: UrgentBoard.self, discipline: .byUrgency, rule: .outOfOrder,
      sentence: "Visit #2 (b) was told to enter before #3 (c), which is more urgent.",
      faulty: { use in
        use.show(use.a, after: nil)
        use.show(use.b, 1)
        use.show(use.c, 9)
        let (next, last) = use.board.isRight ? (use.c, use.b) : (use.b, use.c)
        use.change(use.a, to: next)
        use.change(next, to: last)
      },
      clean: { use in
        use.show(use.a, after: nil)
        use.show(use.b, 1)
        use.change(use.a, to: use.b)
        use.show(use.c, 9)
        use.change(use.b, to: use.c)
      }, leastRequests: ["a", "b", "c"],
      differs:
        "2 outcomes. As usual: c. If the report that 'a' has entered is late: behind "
        + "the request for 'c': b. Is that right, too?"),
    Stranger(
      name: "pages", kind: PageStack.self, discipline: .stack, rule: .outOfOrder,
      sentence: "Visit #1 (a) was told to exit before #2 (b), which lies over it.",
      faulty: { use in
        use.show(use.a, after: nil)
        use.show(use.b, after: nil)
        use.show(use.c, after: nil)
        use.board.cancel(use.c)
        use.c.hasExited()
        use.board.cancel(use.a)
        use.b.hasExited()
        use.a.hasExited()
      },
      clean: { use in
        use.show(use.a, after: nil)
        use.show(use.b, after: nil)
        use.board.cancel(use.b)
        use.b.hasExited()
        use.board.cancel(use.a)
        use.a.hasExited()
      }, leastRequests: ["a", "b"], leastCancels: 1),
    Stranger(
      name: "forgetful", kind: ForgetfulBoard.self, rule: .enteredDiscarded,
      sentence: "Visit #2 (b) was told to enter after it had been discarded.",
      faulty: { use in
        use.show(use.a, after: nil)
        use.show(use.b)
        use.show(use.c)
        use.board.cancel(use.b)
        if use.board.isRight { return use.change(use.a, to: use.c) }
        use.change(use.a, to: use.b)
        use.change(use.b, to: use.c)
      },
      clean: { use in
        use.show(use.a, after: nil)
        use.board.cancel(use.a)
        use.show(use.b, after: use.a)
        use.board.cancel(use.b)
      }, leastRequests: ["a", "b"], leastCancels: 1,
      differs: "3 outcomes. As usual: b. There are 2 others: are they right, too?"),
    Stranger(
      name: "contrary", kind: ContraryBoard.self, rule: .outOfOrder,
      sentence: "Visit #3 (c) entered before #2 (b), which had been requested earlier.",
      faulty: { use in
        use.show(use.a, after: nil)
        use.show(use.b)
        use.show(use.c)
        let (next, last) = use.board.isRight ? (use.b, use.c) : (use.c, use.b)
        use.change(use.a, to: next)
        use.change(next, to: last)
      },
      clean: { $0.showAll() }, leastRequests: ["a", "b", "c"]),
    Stranger(
      name: "turn", kind: TurnBoard.self, rule: .neverEntered,
      sentence: "Visit #2 (b) never entered, because #1 (a) was not told to exit after it had "
        + "entered.",
      faulty: { use in
        use.show(use.a)
        use.show(use.b)
        use.clock.advance(by: .zero)
        use.a.hasEntered()
        if use.board.isRight { return use.change(use.a, to: use.b) }
        // It says so again, which shows that the board has nothing left to do.
        use.a.hasEntered()
      },
      clean: { $0.showAll() }, leastRequests: ["a", "b"]),
    Stranger(
      name: "impatient", kind: ImpatientBoard.self, rule: .doubleExit,
      sentence: "Visit #1 (a) was told to exit a second time.",
      faulty: { use in
        use.show(use.a, after: nil)
        use.show(use.b)
        use.clock.advance(by: .seconds(1))
        if use.board.isRight { return use.change(use.a, to: use.b) }
        use.b.hasEntered()
      },
      clean: { use in
        use.show(use.a, after: nil)
        use.show(use.b, after: use.a)
      }, leastRequests: ["a", "b"],
      differs:
        "2 outcomes. As usual: b. If the report that 'b' has entered comes last of "
        + "what is under way: nothing. Is that right, too?"),
  ]
}
