import Staty
import StatyReplay

/// What a board shows; it says that it has entered or exited when a test or a recording does.
class Sheet {
  let name: StateName
  weak var board: Board?

  init(_ name: StateName) { self.name = name }

  func enter() {}
  func exit() {}

  func hasEntered() { board?.hasEntered(self) }
  func hasExited() { board?.hasExited(self) }
}

/// A sheet that is played from a recording.
final class ScriptedSheet: Sheet {
  private let script: ReplayState

  init(_ script: ReplayState) {
    self.script = script
    super.init(script.name)
    script.onCompletion = { [unowned self] in $0 == .entered ? hasEntered() : hasExited() }
  }

  override func enter() { script.enter() }
  override func exit() { script.exit() }
}

/// A controller of an app's own, with a fault or without.
class Board: Recordable {
  let probe: ControllerProbe
  let isRight: Bool
  let timer: any TransitionTimer
  var events: EventSource { probe.events }

  required init(_ probe: ControllerProbe, isRight: Bool, timer: any TransitionTimer) {
    (self.probe, self.isRight, self.timer) = (probe, isRight, timer)
  }

  func show(_ sheet: Sheet, urgency: Int32 = 0) {}
  func cancel(_ sheet: Sheet) {}
  func hasEntered(_ sheet: Sheet) {}
  func hasExited(_ sheet: Sheet) {}

  final func tell(_ order: ControllerProbe.Order, _ sheet: Sheet) {
    probe.telling(order, sheet) { order == .enter ? sheet.enter() : sheet.exit() }
  }
}

/// One sheet at a time; the others wait.
class LineBoard: Board {
  struct Waiting {
    let sheet: Sheet
    let urgency: Int32
  }

  var line: [Waiting] = []
  private(set) var shown: Sheet?
  private(set) var isEntering = false
  private var isMoving = false

  override func show(_ sheet: Sheet, urgency: Int32) {
    sheet.board = self
    probe.requested(sheet, named: sheet.name, priority: urgency) {
      line.append(Waiting(sheet: sheet, urgency: urgency))
      goOn()
    }
  }

  override func cancel(_ sheet: Sheet) {
    probe.cancelled(sheet) {
      guard let place = line.firstIndex(where: { $0.sheet === sheet }) else { return }
      line.remove(at: place)
      probe.discarded(sheet, .cancelled)
    }
  }

  override func hasEntered(_ sheet: Sheet) {
    probe.completed(.entered, sheet) {
      guard sheet === shown, isEntering else { return }
      (isMoving, isEntering) = (false, false)
      goOn()
    }
  }

  override func hasExited(_ sheet: Sheet) {
    probe.completed(.exited, sheet) {
      guard sheet === shown else { return }
      clear()
      goOn()
    }
  }

  final func clear() { (shown, isMoving, isEntering) = (nil, false, false) }

  final func goOn() {
    guard !isMoving, !line.isEmpty else { return }
    isMoving = true
    if let shown { return tell(.exit, shown) }
    let next = line.remove(at: nextPlace()).sheet
    (shown, isEntering) = (next, true)
    willEnter(next)
    tell(.enter, next)
  }

  /// Which of those that wait is next.
  func nextPlace() -> Int { 0 }
  func willEnter(_ sheet: Sheet) {}
}

// MARK: Six classes, each with a fault

/// The most urgent first; the fault: in order of arrival.
final class UrgentBoard: LineBoard {
  override func nextPlace() -> Int {
    let most = line.map(\.urgency).max()
    return isRight ? line.firstIndex { $0.urgency == most } ?? 0 : 0
  }
}

/// Pages over pages; the fault: where several are popped, the lower one exits first.
final class PageStack: Board {
  private var pages: [Sheet] = []
  private var coming: [Sheet] = []
  private var popped: [Sheet] = []
  private var hasEntered: Set<ObjectIdentifier> = []

  override func show(_ page: Sheet, urgency: Int32) {
    page.board = self
    probe.requested(page, named: page.name) {
      coming.append(page)
      goOn()
    }
  }

  /// Pops a page, and those over it.
  override func cancel(_ page: Sheet) {
    probe.cancelled(page) {
      if let place = coming.firstIndex(where: { $0 === page }) {
        coming.remove(at: place)
        probe.discarded(page, .cancelled)
      } else if let place = pages.firstIndex(where: { $0 === page }) {
        popped = Array(pages[place...]) + popped
        pages.removeSubrange(place...)
        goOn()
      }
    }
  }

  override func hasEntered(_ page: Sheet) {
    probe.completed(.entered, page) {
      hasEntered.insert(ObjectIdentifier(page))
      goOn()
    }
  }

  override func hasExited(_ page: Sheet) { probe.completed(.exited, page) {} }

  private func goOn() {
    while let page = isRight ? popped.last : popped.first,
      hasEntered.contains(ObjectIdentifier(page))
    {
      popped.removeAll { $0 === page }
      tell(.exit, page)
    }
    while popped.isEmpty, !coming.isEmpty {
      let page = coming.removeFirst()
      pages.append(page)
      tell(.enter, page)
    }
  }
}

/// The fault: a sheet that was cancelled is discarded, and stays in the line.
final class ForgetfulBoard: LineBoard {
  override func cancel(_ sheet: Sheet) {
    if isRight { return super.cancel(sheet) }
    probe.cancelled(sheet) {
      if line.contains(where: { $0.sheet === sheet }) { probe.discarded(sheet, .cancelled) }
    }
  }
}

/// The fault: the newest is next.
class ContraryBoard: LineBoard {
  override func nextPlace() -> Int { isRight ? 0 : line.count - 1 }
}

/// Takes requests in at the next turn; the fault: it takes in one a turn, and forgets the others.
class TurnBoard: LineBoard {
  private var coming: [Waiting] = []

  override func show(_ sheet: Sheet, urgency: Int32) {
    sheet.board = self
    probe.requested(sheet, named: sheet.name) {
      if !isRight, !coming.isEmpty { return }
      coming.append(Waiting(sheet: sheet, urgency: urgency))
      if coming.count > 1 { return }
      let step = probe.deferred { [self] in
        line += coming
        coming = []
        goOn()
      }
      _ = timer.schedule(after: .zero, step)
    }
  }
}

/// Gives up a sheet that has not entered after a second; the fault: also one that has.
final class ImpatientBoard: LineBoard {
  override func willEnter(_ sheet: Sheet) {
    let step = probe.deferred { [self] in
      if isRight, sheet !== shown || !isEntering { return }
      probe.missed(.entered, sheet, recovery: .skip) {
        tell(.exit, sheet)
        probe.discarded(sheet, .timedOut)
        if sheet === shown { clear() }
        goOn()
      }
    }
    _ = timer.schedule(after: .seconds(1), step)
  }
}

// MARK: Classes that are harder to test

/// Has a timer besides the turns; a later step overtakes it.
final class TimedBoard: TurnBoard {
  override func willEnter(_ sheet: Sheet) {
    _ = timer.schedule(after: .seconds(2), probe.deferred {})
  }
}

/// Shows a sheet of its own when the first one has exited.
final class ReportingBoard: ContraryBoard {
  private final class Report: Sheet {
    override func enter() { hasEntered() }
    override func exit() { hasExited() }
  }

  private var report: Report?

  override func hasExited(_ sheet: Sheet) {
    probe.completed(.exited, sheet) {
      if report == nil {
        let own = Report("report")
        report = own
        show(own, urgency: 0)
      }
      guard sheet === shown else { return }
      clear()
      goOn()
    }
  }
}

// MARK: A class that another object decides for

/// Says which sheet is next.
final class Host {
  func next(of count: Int) -> Int { 0 }
}

/// Asks its host which sheet is next, and shows the newest if it has none.
final class HostedBoard: LineBoard {
  weak var host: Host?

  override func nextPlace() -> Int { host?.next(of: line.count) ?? line.count - 1 }
}
