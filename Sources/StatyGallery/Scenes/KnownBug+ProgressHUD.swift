import Staty
import StatyReplay

extension KnownBug {
  package static let progressHUD = KnownBug(
    name: "progress-hud", symptom: "The spinner never stops, although loading has finished",
    report: "SVProgressHUD/SVProgressHUD #555", kind: "gallery-hud",
    decides: "whether the queued block that shows it runs before it is dismissed",
    minimizing: ["--rule=late-answer"]
  ) { version in
    let platform = Platform()
    let hud = HUDModel(MainQueue(surroundings: platform), version)
    return Scene(platform, ("gallery-hud", hud.track))
      .user("show it") { hud.send(.show) }
      .user("dismiss it") { hud.send(.dismiss) }
  } make: { context, version in
    let hud = HUDModel(MainQueue(surroundings: context), version)
    return context.subject(of: hud.track) { (message: HUDMessage) in hud.send(message) }
  }
}

private struct MainQueue: Queue {
  let surroundings: any Surroundings
  func later(_ block: @escaping () -> Void) { surroundings.asked("later", answer: block) }
}
