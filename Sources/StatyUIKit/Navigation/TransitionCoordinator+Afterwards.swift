#if canImport(UIKit)
  import UIKit

  extension UIViewControllerTransitionCoordinator {
    /// Calls once, in a turn of its own after the transition.
    ///
    /// When a transition's completions are called, its controllers may not have let go of each other.
    /// A coordinator that takes no completion any more is as good as over: then it is the next turn.
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
