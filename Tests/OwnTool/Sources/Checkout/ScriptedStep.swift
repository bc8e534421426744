public import StatyReplay

/// A step that enters and exits when a recording says so.
public final class ScriptedStep: CheckoutStep {
  private let script: ReplayState

  public init(_ script: ReplayState) {
    self.script = script
    super.init(script.name)
    script.onCompletion = { [unowned self] completion in
      completion == .entered ? checkout?.didEnter(self) : checkout?.didExit(self)
    }
  }

  public override func enter() { script.enter() }
  public override func exit() { script.exit() }
}
