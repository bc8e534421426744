import Staty

extension SpecimenScenario {
  static let container2020: [SpecimenScenario] = [
    SpecimenScenario(
      "interrupted-animation", Container2020.self,
      fault: "An animation that is interrupted never completes, and its transition never ends.",
      code: "never-exited", mend: "immediate", isSilence: true
    ) { run in
      run.ask(run.state("loading", exits: .never))
      run.wait(1_000)
      run.ask(run.state("comments"))
      run.wait(5_000)
      run.ask(run.state("error"))
    },
    SpecimenScenario(
      "replaced-in-slot", Container2020.self,
      fault: "A request that is replaced in the slot vanishes without a word.",
      code: "never-entered", mend: "latest"
    ) { run in
      run.ask(run.state("loading"))
      run.wait(50)
      run.ask(run.state("comments"))
      run.ask(run.state("error"))
      run.wait(3_000)
    },
    SpecimenScenario(
      "wrong-before", Container2020.self,
      fault: "didTransition(from:) is given the new state.", code: nil, mend: "latest"
    ) { run in
      run.ask(run.state("loading"))
      run.wait(1_000)
      run.ask(run.state("comments"))
      run.wait(1_000)
    },
  ]
}
