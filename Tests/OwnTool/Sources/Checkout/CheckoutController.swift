public import Staty

/// Shows the steps of a checkout, one at a time; other requests are pending.
public final class CheckoutController {
  public let probe: ControllerProbe
  private let isFixed: Bool
  private var shown: CheckoutStep?
  private var waiting: [CheckoutStep] = []
  private var isMoving = false

  /// - Parameter isFixed: whether it waits for the end of a transition, and ignores steps that have
  ///   exited. Without it, the class has two bugs.
  public init(probe: ControllerProbe = ControllerProbe("checkout"), isFixed: Bool = false) {
    self.probe = probe
    self.isFixed = isFixed
  }

  /// Requests a step.
  public func show(_ step: CheckoutStep, file: StaticString = #fileID, line: UInt = #line) {
    step.checkout = self
    probe.requested(step, named: step.name, file: file, line: line) {
      waiting.append(step)
      showNext()
    }
  }

  /// A step has entered.
  public func didEnter(_ step: CheckoutStep) {
    probe.completed(.entered, step) {
      isMoving = false
      showNext()
    }
  }

  /// A step has exited.
  public func didExit(_ step: CheckoutStep) {
    probe.completed(.exited, step) {
      if isFixed, step !== shown { return }
      (isMoving, shown) = (false, nil)
      showNext()
    }
  }

  private func showNext() {
    if waiting.isEmpty || isFixed && isMoving { return }
    isMoving = true
    if let shown {
      probe.telling(.exit, shown) { shown.exit() }
    } else {
      let next = waiting.removeFirst()
      shown = next
      probe.telling(.enter, next) { next.enter() }
    }
  }
}

/// A step of a checkout: subclasses show it, and report when it has entered and exited.
open class CheckoutStep {
  public let name: StateName
  public weak var checkout: CheckoutController?

  public init(_ name: StateName) { self.name = name }

  open func enter() { checkout?.didEnter(self) }
  open func exit() { checkout?.didExit(self) }
}
