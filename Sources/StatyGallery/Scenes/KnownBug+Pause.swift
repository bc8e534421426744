import Staty
import StatyReplay

extension KnownBug {
  package static let pause = KnownBug(
    name: "pause", symptom: "I tap pause while it loads, and it starts to play anyway",
    report: "jorgenhenrichsen/SwiftAudio #114", kind: "gallery-player",
    decides: "whether the item is loaded before the user pauses",
    minimizing: ["--rule=late-answer"]
  ) { version in
    let platform = Platform()
    let player = PlaybackModel(Loader(surroundings: platform), version)
    return Scene(platform, ("gallery-player", player.track))
      .user("play") { player.send(.load(playWhenReady: true)) }
      .user("pause") { player.send(.pause) }
  } make: { context, version in
    let player = PlaybackModel(Loader(surroundings: context), version)
    return context.subject(of: player.track) { (message: PlaybackMessage) in player.send(message) }
  }
}

private struct Loader: MediaLoader {
  let surroundings: any Surroundings
  func load(_ done: @escaping () -> Void) { surroundings.asked("load", answer: done) }
}
