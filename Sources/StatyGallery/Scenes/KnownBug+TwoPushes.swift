import Staty
import StatyReplay

extension KnownBug {
  package static let twoPushes = KnownBug(
    name: "two-pushes", symptom: "I push two screens at once, and only one appears",
    report: "johnpatrickmorgan/FlowStacks #3", kind: "gallery-screens",
    decides: "whether both pushes come before the screens are updated", minimizing: nil
  ) { version in
    let platform = Platform()
    let screens = ScreensModel(Updater(surroundings: platform), version)
    return Scene(
      platform, ("gallery-screens", screens.track), ("path", screens.pathTrack)
    )
    .user("push the list") { screens.send(.push(.list)) }
    .user("push a detail") { screens.send(.push(.detail)) }
  } make: { context, version in
    let screens = ScreensModel(Updater(surroundings: context), version)
    return context.subject(of: screens.track) { (message: PushMessage) in screens.send(message) }
  }
}

private struct Updater: ScreenUpdater {
  let surroundings: any Surroundings
  func update(_ done: @escaping () -> Void) {
    surroundings.asked("update", "", inOrder: true, answer: done)
  }
}
