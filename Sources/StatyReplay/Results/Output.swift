package import Staty
package import StatyHistory

/// A decision of a controller, recorded or replayed.
package struct Output: Hashable, Sendable {
  /// What was decided: `entering`, `exiting` or `discarded`.
  ///
  /// An opaque controller reports its inputs itself and may make requests of its own. Its outputs
  /// can have any kind.
  package var kind: EventKind
  /// The visit that the decision is about.
  package var visit: VisitNumber
  /// The reason, as `EventReason` numbers it; 0 if there is none.
  package var reason: UInt8 = 0
  /// The reason of a rejection.
  package var refusal: Refusal?
  /// The number of the event that was being handled; 0 if there is none.
  package var cause: Int64
  /// The name of the state or message, if recording and replay differ in that.
  package var name: StateName?
}

extension Output {
  init(_ command: Command, cause: Int64) {
    switch command {
    case .enter(let request): self.init(kind: .entering, visit: request.visit, cause: cause)
    case .exit(let visit): self.init(kind: .exiting, visit: visit, cause: cause)
    case .discard(let visit, let reason):
      self.init(
        kind: .discarded, visit: visit,
        reason: EventReason(.discard(reason), of: .discarded)?.code ?? 0,
        cause: cause)
      if case .rejected(let refusal) = reason { self.refusal = refusal }
    }
  }

  /// What a controller reported when the event was recorded.
  init(reportedIn event: RecordedEvent, _ kind: EventKind, _ names: RecordedNames) {
    self.init(
      kind: kind, visit: VisitNumber(event.row.visit), reason: event.row.reason,
      cause: event.row.cause)
    if kind == .discarded, let detail = event.detail {
      refusal = Refusal(detail) { names[$0] }
    }
  }
}

extension Output {
  /// The recorded output; what the recording did not keep is taken from the replayed one.
  ///
  /// The reason of a rejection is stored apart from the event, and an unknown reason is no
  /// difference.
  func completed(by replayed: Output) -> Output {
    guard kind == .discarded, refusal == nil, replayed.reason == reason else { return self }
    var output = self
    output.refusal = replayed.refusal
    return output
  }
}

extension Output {
  /// The output that an opaque controller reports now.
  ///
  /// - Parameter cause: the number of the recorded event that it is handling.
  init(_ event: TransitionEvent, cause: Int64) {
    self.init(
      kind: event.kind, visit: event.visit ?? VisitNumber(0),
      reason: EventReason(event.detail, of: event.kind)?.code ?? 0, cause: cause)
    if case .discard(.rejected(let refusal)) = event.detail { self.refusal = refusal }
  }
}
