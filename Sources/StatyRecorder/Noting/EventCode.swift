import Staty
import StatyHistory

/// How an event's detail becomes a reason's code and, if more is to be said, a note.
enum EventCode {
  /// The code of what the event says beyond its kind; 0 if it says nothing.
  static func reason(of detail: TransitionEvent.Detail) -> UInt8 {
    switch detail {
    case .none, .request: 0
    case .discard(let reason): self.reason(of: reason).code
    case .completion(.entered): EventReason.strayEntered.code
    case .completion(.exited): EventReason.strayExited.code
    case .cancellation(.visit): EventReason.cancelledVisit.code
    case .cancellation(.all): EventReason.cancelledAll.code
    case .cancellation(.tearDown): EventReason.cancelledTearDown.code
    case .deadline(let awaited, let recovery): self.reason(of: awaited, recovery).code
    }
  }

  private static func reason(of discard: DiscardReason) -> EventReason {
    switch discard {
    case .rejected: .rejected
    case .replaced: .replaced
    case .coalesced: .coalesced
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .tornDown: .tornDown
    }
  }

  private static func reason(
    of awaited: Completion, _ recovery: DeadlineRecovery
  ) -> EventReason {
    switch (awaited, recovery) {
    case (.entered, .report): .enteringReport
    case (.entered, .force): .enteringForce
    case (.entered, .skip): .enteringSkip
    case (.exited, .report): .leavingReport
    case (.exited, .force): .leavingForce
    case (.exited, .skip): .leavingSkip
    }
  }

  /// What is to be noted of a request, if it is not what most requests are.
  static func note(
    of detail: RequestDetail, instance: VisitNumber?, number: (StateName) -> UInt32
  ) -> NotedDetail? {
    let request = detail.request
    let usual = (instance ?? request.visit).rawValue << 1
    if request.priority == 0, request.equality == usual, request.answers == 0,
      request.objection == nil, detail.asked == nil
    {
      return nil
    }
    var noted = NotedDetail()
    noted.priority = request.priority
    noted.answers = request.answers
    noted.objection = request.objection?.rawValue ?? 0
    noted.asked = detail.asked.map(number) ?? 0
    if request.equality != usual {
      noted.hasEquality = 1
      noted.equality = request.equality
    }
    return noted
  }

  /// What is to be noted of a rejection.
  static func note(of refusal: Refusal, number: (StateName) -> UInt32) -> NotedDetail {
    var noted = NotedDetail()
    switch refusal {
    case .busy: noted.refusal = 1
    case .noRoute(let from):
      noted.refusal = 2
      noted.refusedFrom = from.map(number) ?? 0
    case .guarded(let from, let guarding):
      noted.refusal = 3
      noted.refusedFrom = from.map(number) ?? 0
      noted.refusedNeeds = number(guarding)
    case .context(let from, let needs):
      noted.refusal = 4
      noted.refusedFrom = from.map(number) ?? 0
      noted.refusedNeeds = number(needs)
    case .objection(let objection):
      noted.refusal = 5
      noted.objection = objection.rawValue
    }
    return noted
  }
}
