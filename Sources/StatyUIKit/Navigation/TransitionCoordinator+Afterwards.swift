#if canImport(UIKit)
  import UIKit

  extension UIViewControllerTransitionCoordinator {
    /// Calls a body once, in the next turn of the main queue after the transition.
    ///
    /// In the completions of a transition, its controllers may still be connected. If the
    /// coordinator takes no more completions, the transition is ending, and the body is called in
    /// the next turn.
    func afterwards(_ body: @escaping @MainActor () -> Void) {
      var isCalled = false
      let call = {
        if isCalled { return }
        isCalled = true
        DispatchQueue.main.async(execute: body)
      }
      let isTaken = animate(alongsideTransition: nil) { _ in call() }
      if !isTaken { call() }
    }
  }
#endif
