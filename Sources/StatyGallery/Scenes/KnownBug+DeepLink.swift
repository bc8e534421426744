import Staty
import StatyReplay

extension KnownBug {
  package static let deepLink = KnownBug(
    name: "deep-link",
    symptom: "I open a link, and the app starts with the old tabs and without the link",
    report: "mozilla-mobile/firefox-ios #15113", kind: "gallery-tabs",
    decides: "whether the tabs of the last launch are restored before the link is opened",
    minimizing: ["--rule=late-answer"]
  ) { version in
    let platform = Platform()
    let tabs = TabsModel(Store(surroundings: platform), version)
    var isLaunched = false
    return Scene(platform, ("gallery-tabs", tabs.track))
      .user("launch the app", when: { !isLaunched }) {
        isLaunched = true
        tabs.send(.launch)
      }
      .user("open a link") { tabs.send(.open("weather")) }
  } make: { context, version in
    let tabs = TabsModel(Store(surroundings: context), version)
    return context.subject(of: tabs.track) { (message: TabsMessage) in tabs.send(message) }
  }
}

private struct Store: TabStore {
  let surroundings: any Surroundings
  func restore(_ done: @escaping ([String]) -> Void) {
    surroundings.asked("restore") { done(["news"]) }
  }
}
