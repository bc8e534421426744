import Staty
import StatyReplay

extension KnownBug {
  package static let doublePop = KnownBug(
    name: "double-pop", symptom: "One tap on Back goes back two screens",
    report: "canopas/UIPilot #34",
    kind: "gallery-path",
    decides: "nothing: each pop of the app is reported back, and counted again",
    dependsOnOrder: false
  ) { version in
    let platform = Platform()
    let stage = Stage(platform)
    let navigator = NavigatorModel(stage, version)
    navigator.track.mirrors(stage.track)
    return Scene(platform, ("gallery-path", navigator.track), ("shown", stage.track))
      .user("open the list", when: { navigator.path.isEmpty }) { navigator.send(.push(.list)) }
      .user("open a detail", when: { navigator.path == [.list] }) { navigator.send(.push(.detail)) }
      .user("open the photo", when: { navigator.path == [.list, .detail] }) {
        navigator.send(.push(.photo))
      }
      .user("back") { navigator.send(.pop) }
  } make: { context, version in
    let stage = Stage(context)
    let navigator = NavigatorModel(stage, version)
    return context.subject(of: navigator.track) { (message: PopMessage) in navigator.send(message) }
      .atRest("the path is as long as the stack on the screen") {
        navigator.path.count == stage.count
      }
  }
}

private final class Stage: NavigationStage {
  let track = StackTrack("shown")
  private var screens: [Screen] = [] { didSet { track.moved(to: screens) } }
  private let surroundings: any Surroundings
  var count: Int { screens.count }

  init(_ surroundings: any Surroundings) { self.surroundings = surroundings }

  func push(_ screen: Screen) { screens.append(screen) }

  func pop(_ done: @escaping () -> Void) {
    _ = screens.popLast()
    surroundings.asked("pop", answer: done)
  }
}
