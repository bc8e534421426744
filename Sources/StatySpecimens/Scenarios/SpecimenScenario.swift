import Staty

/// A few steps that make a specimen show one of its faults, the same each time.
package struct SpecimenScenario: Sendable {
  /// Its name: unique among all scenarios, and usable as a file name.
  package let name: String
  /// The name of the specimen.
  package let specimen: String
  /// What goes wrong, in one sentence.
  package let fault: String
  /// The code of the ordering rule that finds the fault; `nil` if the order of events does not show
  /// it.
  package let code: String?
  /// The name of a policy that does not have the fault.
  package let right: String
  /// Whether the fault is that a state never answers.
  ///
  /// No recording shows whether the state would answer another controller, so ``right`` is not known
  /// to fix it; but that policy does not let other visits wait for it.
  package let isSilence: Bool
  let make: @Sendable (SpecimenRun.Beginning) -> SpecimenRun

  init<S: Specimen>(
    _ name: String, _ specimen: S.Type, fault: String, code: String?, right: String = "queue",
    isSilence: Bool = false, _ play: @escaping @Sendable (SpecimenRun) -> Void
  ) {
    self.name = name
    self.specimen = S.name
    self.fault = fault
    self.code = code
    self.right = right
    self.isSilence = isSilence
    make = { SpecimenRun(S.self, $0, play) }
  }

  /// All scenarios, specimen by specimen.
  package static let all: [SpecimenScenario] =
    staty2019 + presenter + keyed2015 + container2020

  /// A new controller to play the scenario to.
  ///
  /// ```swift
  /// let run = scenario.begin()
  /// recorder.attach(to: run.controller.probe, as: scenario.name)
  /// run.play()
  /// recorder.close()
  /// ```
  ///
  /// Close the recorder while the run exists: its last event is then the scenario's last.
  ///
  /// - Parameter time: when it begins, as a time of events; by default now.
  package func begin(at time: UInt64 = EventSource.clock) -> SpecimenRun {
    make(.init(time: time))
  }
}
