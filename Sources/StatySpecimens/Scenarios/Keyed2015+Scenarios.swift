import Staty

extension SpecimenScenario {
  static let keyed2015: [SpecimenScenario] = [
    SpecimenScenario(
      "unknown-key", Keyed2015.self,
      fault: "A transition to an unknown key leaves the table without a data source, silently.",
      code: "never-entered"
    ) { run in
      run.request(run.still("loading"))
      run.wait(1_000)
      run.request(run.still("poplated"))
      run.wait(3_000)
      run.request(run.still("populated"))
    },
    SpecimenScenario(
      "transition-in-enter", Keyed2015.self,
      fault: "A transition asked for inside enter nests in the one that is under way.",
      code: "reentrant-request"
    ) { run in
      let loading = run.still("loading")
      let populated = run.still("populated")
      loading.onEnter = { [unowned run] in run.request(populated, by: $0) }
      run.request(loading)
      run.wait(3_000)
      run.request(run.still("empty"))
    },
    SpecimenScenario(
      "late-transition", Keyed2015.self,
      fault: "A transition that a state asked for in a while comes when the state has left.",
      code: "stale-request"
    ) { run in
      let loading = run.still("loading")
      let populated = run.still("populated")
      loading.onEnter = { [unowned run] state in
        _ = run.clock.schedule(after: .seconds(2)) { run.request(populated, by: state) }
      }
      run.request(loading)
      run.wait(1_000)
      run.request(run.still("empty"))
      run.wait(3_000)
    },
  ]
}

extension SpecimenRun {
  /// A state that reports nothing: it has entered or exited when the call returns.
  fileprivate func still(_ name: StateName) -> PlayedState {
    state(name, enters: .never, exits: .never)
  }
}
