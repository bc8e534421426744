import Staty

extension SpecimenScenario {
  static let staty2019: [SpecimenScenario] = [
    SpecimenScenario(
      "second-last", Staty2019.self,
      fault: "The second-last of three is told to exit before it has entered, and never again.",
      code: "exit-before-enter"
    ) { run in
      let loading = run.state("loading")
      // A state that is not on screen has nothing to hide.
      let content = run.state("content", exits: .never)
      run.request(loading)
      run.wait(1_000)
      run.request(content)
      run.request(run.state("alert"))
      run.wait(4_000)
      run.request(run.state("empty"))
    },
    SpecimenScenario(
      "stuck-behind-second-last", Staty2019.self,
      fault: "The state on screen is never told to exit, so the states behind it never enter.",
      code: "never-entered"
    ) { run in
      run.request(run.state("loading"))
      run.wait(1_000)
      run.request(run.state("content", exits: .never))
      run.request(run.state("alert", exits: .never))
      run.wait(5_000)
      run.request(run.state("empty"))
      run.wait(3_000)
      run.request(run.state("error"))
    },
    SpecimenScenario(
      "closed-alert", Staty2019.self,
      fault: "An alert that was closed stays at the head; the next request tells it to exit again.",
      code: "double-exit"
    ) { run in
      // An alert exits when the user closes it, and ignores a call to exit.
      let alert = run.state("alert", exits: .never)
      run.request(alert)
      run.wait(1_000)
      alert.complete(.exited)
      run.wait(1_000)
      run.request(run.state("content"))
      run.wait(5_000)
      run.request(run.state("empty"))
    },
    SpecimenScenario(
      "second-exit", Staty2019.self,
      fault: "A state that reports its exit twice removes the next one, and a third enters.",
      code: "overlap"
    ) { run in
      let loading = run.state("loading")
      run.request(loading)
      run.wait(1_000)
      run.request(run.state("content", exits: .never))
      run.request(run.state("alert"))
      run.wait(1_000)
      loading.complete(.exited)
      run.wait(3_000)
      run.request(run.state("empty"))
    },
    SpecimenScenario(
      "same-turn", Staty2019.self,
      fault: "A state that enters a turn later is told to exit in this one.",
      code: "exit-before-enter"
    ) { run in
      run.request(run.state("loading", enters: .never, exits: .never))
      run.request(run.state("content"))
      run.wait(5_000)
      run.request(run.state("empty"))
    },
    SpecimenScenario(
      "no-strategy", Staty2019.self,
      fault: "A state whose target lacks its strategy never reports that it has entered.",
      code: "never-arrived", right: "immediate", isSilence: true
    ) { run in
      run.request(run.state("alert", enters: .never, exits: .never))
      run.wait(1_000)
      run.request(run.state("content"))
      run.wait(5_000)
      run.request(run.state("empty"))
    },
  ]
}
