import Staty
import StatyReplay

extension KnownBug {
  package static let twoAlerts = KnownBug(
    name: "two-alerts", symptom: "The alert never shows if the button of another alert opens it",
    report: "pointfreeco/swift-composable-architecture #3272", kind: "gallery-alerts",
    decides: "nothing: it happens whenever one alert follows another",
    dependsOnOrder: false
  ) { version in
    let platform = Platform()
    let presenter = Presenter(platform)
    let alerts = AlertModel(presenter, version)
    alerts.track.mirrors(presenter.track)
    return Scene(
      platform, ("gallery-alerts", alerts.track), ("presented", presenter.track)
    )
    .user("fail") { alerts.send(.fail) }
    .user("OK") { alerts.send(.ok) }
  } make: { context, version in
    let presenter = Presenter(context)
    let alerts = AlertModel(presenter, version)
    return context.subject(of: alerts.track) { (message: AlertMessage) in alerts.send(message) }
      .atRest("the presented alert is the one of the model") { presenter.shown == alerts.state }
  }
}

/// An alert goes some time after its button was tapped.
private final class Presenter: AlertPresenter {
  let track = StateTrack("presented", AlertModel.State.none)
  private(set) var shown = AlertModel.State.none { didSet { track.moved(to: shown) } }
  private let surroundings: any Surroundings

  init(_ surroundings: any Surroundings) { self.surroundings = surroundings }

  func present(_ number: Int) { shown = .alert(number) }

  func dismiss(_ number: Int, _ done: @escaping () -> Void) {
    if shown == .alert(number) { shown = .none }
    surroundings.asked("dismiss", "\(number)", answer: done)
  }
}
