import Staty
import StatyRecorder
import StatyReplay
import StatyRules
import Testing

/// A controller that was changed leaves a state waiting that was shown when it was recorded.
@Suite struct LeftWaitingTests {
  /// A payment is shown, and a rating and a message are requested before it has disappeared.
  private func record(_ kind: Sheets.Kind) throws -> RecordedHistory {
    let history = try RecordedHistory()
    let recorder = try history.recorder()
    let sheets = Sheets(kind, ControllerProbe("sheets"))
    recorder.attach(to: sheets, as: "sheets")
    let payment = Sheet("payment")
    sheets.show(payment)
    sheets.didAppear(payment)
    let (rating, message) = (Sheet("rating"), Sheet("message"))
    sheets.show(rating)
    sheets.show(message)
    sheets.didDisappear(payment)
    for sheet in [rating, message] where sheet.isTold { sheets.didAppear(sheet) }
    recorder.close()
    return history
  }

  private func play(_ history: RecordedHistory, with kind: Sheets.Kind) throws -> WhatIfResult {
    var registry = ControllerRegistry()
    registry.register("sheets") { context in
      let sheets = Sheets(kind, context.probe)
      return context.subject(makeState: ScriptedSheet.init) { sheet, _ in sheets.show(sheet) }
    }
    return try history.whatIf(registry: registry)
  }

  @Test func `a fix that shows only the next one proves nothing`() throws {
    let result = try play(record(.oneSlot), with: .queueWithoutEnd)
    #expect(result.states(.entered) == ["payment", "rating"])
    #expect(result.verdict == .inconclusive, "\(result)")
    let left = result.doubts.compactMap { doubt in
      if case .leftWaiting(_, let visit) = doubt { visit.state } else { nil }
    }
    #expect(left == ["message"])
  }

  @Test func `what waits for the user may wait`() throws {
    let result = try play(record(.oneSlot), with: .queueForUser)
    #expect(result.states(.entered) == ["payment", "rating"])
    #expect(result.verdict == .fixed, "\(result)")
  }

  @Test func `a fix that shows all of them is one`() throws {
    let result = try play(record(.oneSlot), with: .queue)
    #expect(result.states(.entered) == ["payment", "rating", "message"])
    #expect(result.verdict == .fixed, "\(result)")
  }

  @Test func `what waited when it was recorded may wait`() throws {
    let result = try play(record(.queueWithoutEnd), with: .queueWithoutEnd)
    #expect(result.findings == [] && result.doubts == [], "\(result)")
  }
}

/// Shows one sheet at a time.
private final class Sheets: Recordable {
  enum Kind {
    /// Only the last request is kept.
    case oneSlot
    /// All are kept, but it goes on only after a sheet has disappeared.
    case queueWithoutEnd
    case queue
    /// The user closes each before the next.
    case queueForUser
  }

  let probe: ControllerProbe
  var events: EventSource { probe.events }
  private let kind: Kind
  private var current: Sheet?
  private var (isMoving, waiting) = (false, [Sheet]())

  init(_ kind: Kind, _ probe: ControllerProbe) { (self.kind, self.probe) = (kind, probe) }

  func show(_ sheet: Sheet) {
    sheet.sheets = self
    probe.requested(sheet, named: sheet.name, awaitsUser: kind == .queueForUser) {
      if kind == .oneSlot { waiting = [] }
      waiting.append(sheet)
      showNext()
    }
  }

  func didAppear(_ sheet: Sheet) {
    probe.completed(.entered, sheet) {
      isMoving = false
      if kind == .queue { showNext() }
    }
  }

  func didDisappear(_ sheet: Sheet) {
    probe.completed(.exited, sheet) {
      guard sheet === current else { return }
      (current, isMoving) = (nil, false)
      showNext()
    }
  }

  private func showNext() {
    if isMoving || waiting.isEmpty { return }
    isMoving = true
    if let current {
      probe.telling(.exit, current) { current.disappear() }
    } else {
      let next = waiting.removeFirst()
      current = next
      probe.telling(.enter, next) { next.appear() }
    }
  }
}

private class Sheet {
  let name: StateName
  weak var sheets: Sheets?
  private(set) var isTold = false

  init(_ name: StateName) { self.name = name }

  func appear() { isTold = true }
  func disappear() {}
}

private final class ScriptedSheet: Sheet {
  private let script: ReplayState

  init(_ script: ReplayState) {
    self.script = script
    super.init(script.name)
    script.onCompletion = { [unowned self] completion in
      completion == .entered ? sheets?.didAppear(self) : sheets?.didDisappear(self)
    }
  }

  override func appear() { script.enter() }
  override func disappear() { script.exit() }
}
