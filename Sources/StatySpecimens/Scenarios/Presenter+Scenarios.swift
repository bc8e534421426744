import Staty

extension SpecimenScenario {
  static let presenter: [SpecimenScenario] = [
    SpecimenScenario(
      "dropped-presentation", Presenter.self,
      fault: "A presentation asked for while another is under way is dropped without a word.",
      code: "never-arrived"
    ) { run in
      run.request(run.state("list", exits: .atOnce))
      run.wait(1_000)
      run.request(run.state("detail", exits: .atOnce))
      run.wait(50)
      run.request(run.state("settings", exits: .atOnce))
      run.wait(5_000)
      run.request(run.state("help", exits: .atOnce))
      run.wait(1_000)
    },
    SpecimenScenario(
      "back-twice", Presenter.self,
      fault: "Back is tapped twice quickly, and two screens go.",
      code: "stale-request"
    ) { run in
      let detail = run.state("detail", enters: .atOnce, exits: .atOnce)
      run.request(run.state("home", enters: .atOnce, exits: .atOnce))
      run.request(run.state("list", enters: .atOnce, exits: .atOnce))
      run.request(detail)
      run.wait(1_000)
      run.request(detail, asked: "previous", by: detail)
      run.wait(20)
      run.request(detail, asked: "previous", by: detail)
      run.wait(3_000)
    },
  ]
}
