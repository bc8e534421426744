import Staty

/// Puts into words why a request was rejected, as a part of a sentence.
enum RefusalWords {
  static func text(_ refusal: Refusal) -> String {
    switch refusal {
    case .busy: "busy"
    case .noRoute(let from):
      "no route from \(from.map { "'\($0.description.visible)'" } ?? "the beginning")"
    case .guarded(_, let guarding): "'\(guarding.description.visible)' said no"
    case .context(_, let needs): "it needs '\(needs.description.visible)'"
    case .objection(.unknownState): "the controller knows no such state"
    case .objection(.staleOrigin): "who asked had left"
    case .objection(.inUseElsewhere): "its object is in use by another controller"
    }
  }
}
