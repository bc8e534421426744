import Staty
import StatyHistory

/// How far a recording can be relied on.
enum Soundness {
  /// How much is told of a controller.
  static func fidelity(_ controller: ControllerRecord) -> String {
    switch Fidelity(rawValue: controller.fidelity) {
    case .full: "full"
    case .ordered: "ordered"
    case .threeKind: "three-kind"
    case nil: "unknown (\(controller.fidelity))"
    }
  }

  /// How a session ended, in words.
  static func end(_ session: SessionRecord) -> String {
    switch session.ended {
    case .clean: "ended clean"
    case .crash: "ended in a crash"
    case .open: "not ended"
    case nil: "ended nobody knows how"
    }
  }

  /// What is missing of a session, in one sentence.
  static func gaps(_ losses: [LossRecord]) -> String {
    guard let first = losses.first else { return "No event is missing." }
    let count = losses.reduce(0) { $0 &+ $1.count }
    let gaps = losses.count == 1 ? "" : " in \(losses.count) gaps"
    return
      "\(Decimal.count(count, "event")) \(count == 1 ? "is" : "are") missing\(gaps), the first "
      + "at \(first.firstSeq): \(first.reason.visible)."
  }
}

extension OpenHistory {
  /// Fails if what a session holds is not what was stored.
  func verify(_ session: SessionRecord) throws {
    guard let damage = try ChainVerifier(reader).firstDamage(session: session.id) else { return }
    throw Failure(
      status: .badData,
      message: "Verifying '\(path)', session \(session.id): the history is damaged: "
        + "\(damage.description).",
      advice: "Take another copy from where it was recorded.")
  }
}
