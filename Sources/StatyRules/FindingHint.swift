import Staty
package import StatyHistory

extension Finding {
  /// What to do if the controller is right and its discipline was not said: one sentence or two, for
  /// findings that are none under another discipline; `nil` for all others.
  package func hint(_ controller: ControllerRecord) -> String? {
    guard controller.knownDiscipline == .inOrder else { return nil }
    switch code {
    case .overlap, .outOfOrder: break
    case .neverEntered where facts.sentence == NeverEntered.Sentence.overtaken.rawValue: break
    default: return nil
    }
    return
      "'\(controller.name)' is held to one state at a time, in the order of the requests. If it is "
      + "meant to do otherwise, say so with 'discipline:' where its probe is made: .byUrgency, "
      + ".atOnce or .stack."
  }
}
