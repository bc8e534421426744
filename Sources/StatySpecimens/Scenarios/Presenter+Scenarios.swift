import Staty

extension SpecimenScenario {
  static let presenter: [SpecimenScenario] = [
    SpecimenScenario(
      "dropped-presentation", Presenter.self,
      fault: "A presentation asked for while another is under way is dropped without a word.",
      code: "never-arrived"
    ) { run in
      run.ask(run.state("list", exits: .atOnce))
      run.wait(1_000)
      run.ask(run.state("detail", exits: .atOnce))
      run.wait(50)
      run.ask(run.state("settings", exits: .atOnce))
      run.wait(5_000)
      run.ask(run.state("help", exits: .atOnce))
      run.wait(1_000)
    },
    SpecimenScenario(
      "back-twice", Presenter.self,
      fault: "Back is tapped twice quickly, and two screens go.",
      code: "stale-request"
    ) { run in
      let detail = run.state("detail", enters: .atOnce, exits: .atOnce)
      run.ask(run.state("home", enters: .atOnce, exits: .atOnce))
      run.ask(run.state("list", enters: .atOnce, exits: .atOnce))
      run.ask(detail)
      run.wait(1_000)
      run.ask(detail, asked: "previous", by: detail)
      run.wait(20)
      run.ask(detail, asked: "previous", by: detail)
      run.wait(3_000)
    },
  ]
}
