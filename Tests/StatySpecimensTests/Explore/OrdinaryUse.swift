import Staty
import StatyReplay
import StatySpecimens

/// An ordinary use of a controller in an app, without an order.
///
/// It is not made for the faults of a specimen.
struct OrdinaryUse: CustomStringConvertible {
  /// What happens, as a sentence.
  let description: String
  let scenario: Scenario
  /// Whether all states answer.
  let hasAnswers: Bool

  private init(
    _ description: String, _ specimen: String, hasAnswers: Bool = true,
    _ describe: (inout Scenario) -> Void
  ) {
    self.description = description
    self.hasAnswers = hasAnswers
    var scenario = Scenario(specimen)
    describe(&scenario)
    self.scenario = scenario
  }

  /// The uses of a specimen, those with states that answer first.
  static func all(of specimen: String) -> [OrdinaryUse] {
    switch specimen {
    case Keyed2015.name: table
    case Presenter.name: screens(specimen) + [wayBack]
    case Container2020.name: screens(specimen) + [push]
    default: screens(specimen)
    }
  }
}

// MARK: Screens

extension OrdinaryUse {
  private static func screens(_ specimen: String) -> [OrdinaryUse] {
    func three(_ scenario: inout Scenario) {
      scenario.request("alert") { $0.exitsByItself = true }
      scenario.request("content")
      scenario.request("empty")
    }
    return [
      OrdinaryUse("three requests, and an alert can be closed", specimen, three),
      OrdinaryUse("three are asked for in turn, and the first is out twice", specimen) {
        let first = $0.request("loading") { $0.repeats = [.exited] }
        for state: StateName in ["content", "alert"] { $0.request(state) { $0.source = first } }
      },
      OrdinaryUse("three requests, and any state may keep silent", specimen, hasAnswers: false) {
        three(&$0)
        $0 = $0.allowingSilence
      },
    ]
  }

  /// A few views, the last one with a back button.
  private static let wayBack = OrdinaryUse("somebody taps 'back' twice", Presenter.name) {
    let list = $0.request("list")
    let detail = $0.request("detail") { $0.source = list }
    let settings = $0.request("settings") { $0.source = list }
    for _ in 0..<2 {
      $0.request("detail") {
        $0.instance = detail
        $0.asked = "previous"
        $0.origin = settings
        $0.source = list
        $0.place = .after(.entered, settings)
      }
    }
  }
}

extension OrdinaryUse {
  /// A container that is pushed without animation, and a state that is requested then.
  private static let push = OrdinaryUse("a container is pushed", Container2020.name) {
    let first = $0.request("loading") {
      still(&$0)
      $0.asked = Container2020.appearing
    }
    $0.request("content") { $0.source = first }
  }
}

// MARK: Tables

extension OrdinaryUse {
  /// States that are the data source of a table.
  ///
  /// They enter and exit when the calls return.
  private static let table = [
    OrdinaryUse("three keys are asked for, one of them misspelt", Keyed2015.name) {
      for key: StateName in ["loading", "poplated", "empty"] { $0.request(key, still) }
    },
    OrdinaryUse("what is loading asks for what it has loaded, at once", Keyed2015.name) {
      load(.inside(.entering, 1), &$0)
    },
    OrdinaryUse("what is loading asks for what it has loaded, in a while", Keyed2015.name) {
      load(.after(.entered, 1), &$0)
    },
  ]

  private static func load(_ place: Scenario.Place, _ scenario: inout Scenario) {
    let loading = scenario.request("loading", still)
    scenario.request("empty", still)
    scenario.request("populated") {
      still(&$0)
      $0.origin = loading
      $0.place = place
    }
  }

  private static func still(_ request: inout Scenario.Request) {
    (request.enters, request.exits) = (.byController, .byController)
  }
}
