/// Chooses what happens next in a run.
///
/// A listed order, an order for its outcome and a what-if replay are played by the same run; they
/// differ in their choosers alone.
package protocol Chooser<Run, Step> {
  /// What is run.
  associatedtype Run
  /// What may happen next in it.
  associatedtype Step
  /// The next step, one of the run's possible ones; `nil` if nothing more is to happen.
  mutating func next(in run: Run) -> Step?
}

extension ScheduleRun {
  /// Takes the steps that a chooser chooses, one by one.
  ///
  /// - Parameter goesOn: asked after each step whether to go on.
  func play(_ chooser: inout some Chooser<ScheduleRun, Step>, while goesOn: () -> Bool = { true }) {
    while !isGivenUp, let step = chooser.next(in: self) {
      takePossible(step)
      guard goesOn() else { return }
    }
  }
}
