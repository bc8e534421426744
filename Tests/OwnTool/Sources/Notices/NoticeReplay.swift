public import StatyReplay

extension ControllerRegistry {
  /// Adds the controller of notices.
  @MainActor public mutating func registerNotices(
    as name: String = "notices", isFixed: Bool = false
  ) {
    register(name) { context in
      let notices = NoticeController(probe: context.probe, isFixed: isFixed) { step in
        context.scheduler.async(step)
      }
      return context.subject(
        makeState: ScriptedNotice.init, cancel: { _ in notices.dropWaiting() }, isConfined: true
      ) { notice, _ in notices.show(notice) }
    }
  }
}

/// A notice that enters and exits when a recording says so.
final class ScriptedNotice: Notice {
  private let script: ReplayState

  init(_ script: ReplayState) {
    self.script = script
    super.init(script.name)
    script.onCompletion = { [unowned self] completion in
      completion == .entered ? notices?.didEnter(self) : notices?.didExit(self)
    }
  }

  override func enter() { script.enter() }
  override func exit() { script.exit() }
}
