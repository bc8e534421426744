import Staty

extension SpecimenScenario {
  static let container2020: [SpecimenScenario] = [
    SpecimenScenario(
      "interrupted-animation", Container2020.self,
      fault: "An animation that is interrupted never completes, and its transition never ends.",
      code: "never-exited", right: "immediate", isSilence: true
    ) { run in
      run.request(run.state("loading", exits: .never))
      run.wait(1_000)
      // Both are told, and the interruption ends the animations of both.
      run.request(run.state("comments", enters: .never))
      run.wait(5_000)
      run.request(run.state("error"))
    },
    SpecimenScenario(
      "never-ended", Container2020.self,
      fault: "A transition without animation does not end until the next request.",
      code: "slow-enter", right: "latest"
    ) { run in
      run.request(run.state("loading", enters: .never), asked: Container2020.unanimated)
      run.wait(5_000)
      run.request(run.state("comments"))
      run.wait(1_000)
    },
    SpecimenScenario(
      "appeared-twice", Container2020.self,
      fault: "On a push without animation, each child has its appearance calls twice.",
      code: "double-enter", right: "latest"
    ) { run in
      run.request(run.state("loading", enters: .never), asked: Container2020.appearing)
      run.wait(1_000)
      run.request(run.state("comments"))
      run.wait(1_000)
    },
    SpecimenScenario(
      "replaced-in-slot", Container2020.self,
      fault: "A request that is replaced in the slot vanishes without a word.",
      code: "never-entered", right: "latest"
    ) { run in
      run.request(run.state("loading"))
      run.wait(50)
      run.request(run.state("comments"))
      run.request(run.state("error"))
      run.wait(3_000)
      run.request(run.state("loading"))
    },
    SpecimenScenario(
      "left-transparent", Container2020.self,
      fault: "A child that has faded out stays transparent when it is shown without animation.",
      code: nil, right: "latest"
    ) { run in
      let loading = run.state("loading")
      run.request(loading)
      run.wait(1_000)
      run.request(run.state("comments", exits: .never))
      run.wait(1_000)
      run.request(loading, asked: Container2020.unanimated)
      run.wait(500)
      run.request(run.state("error"))
      run.wait(1_000)
    },
    SpecimenScenario(
      "wrong-before", Container2020.self,
      fault: "didTransition(from:) is given the new state.", code: nil, right: "latest"
    ) { run in
      run.request(run.state("loading"))
      run.wait(1_000)
      run.request(run.state("comments"))
      run.wait(1_000)
    },
  ]
}
