import Staty
package import StatyHistory

extension Finding {
  /// Advice for a correct controller without a declared discipline; `nil` for findings that do not
  /// depend on the discipline.
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
      + ".atOnce or .stack. If it drops a request on purpose, report that with "
      + "'discarded(state, .replaced)'."
  }
}
