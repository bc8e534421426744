import Foundation
import Staty
import StatyRecorder

/// Executes the words of a script with one controller after the other.
///
/// Only `flush` stores events.
///
/// - `attach=NAME`: a new controller is recorded from now on
/// - `STATE` or `STATE=PAYLOAD`: it moves to the state
/// - `leave`: the current state exits by itself
/// - `flush`: everything so far is stored
struct Script {
  private let recorder: HistoryRecorder
  private let page = ScriptPage()

  init(path: String) throws {
    var options = RecorderOptions(app: "probe")
    options.gathering = .seconds(3_600)
    recorder = try HistoryRecorder(at: path, options: options)
    try recorder.flush()
  }

  func carryOut(_ words: some Sequence<String>) throws -> Never {
    var controllers: [StateController<ScriptPage>] = []
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      switch parts[0] {
      case "attach":
        let controller = StateController<ScriptPage>()
        recorder.attach(to: controller, as: parts[1])
        controller.bind(to: page)
        controllers.append(controller)
      case "leave": page.leave()
      case "flush": try recorder.flush()
      default:
        let payload = parts.count > 1 ? StatePayload.open(parts[1]) : nil
        controllers.last?.transition(to: Named(StateName(parts[0]), payload))
      }
    }
    kill(getpid(), SIGKILL)
    while true { sleep(1) }
  }
}

private final class ScriptPage {
  var leave: () -> Void = {}
}

private final class Named: ScreenState {
  let name: StateName
  let payload: StatePayload?

  init(_ name: StateName, _ payload: StatePayload?) {
    self.name = name
    self.payload = payload
  }

  func enter(on target: ScriptPage, visit: Visit) {
    target.leave = { visit.exited() }
    visit.entered()
  }

  func exit(from target: ScriptPage, visit: Visit) {
    visit.exited()
  }
}
