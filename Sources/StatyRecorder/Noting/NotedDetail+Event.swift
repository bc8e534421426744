import Staty

extension NotedDetail {
  /// The note of a request; `nil` if the record says everything.
  init?(_ detail: RequestDetail, instance: VisitNumber?, number: (StateName) -> UInt32) {
    let request = detail.request
    let usual = (instance ?? request.visit).rawValue << 1
    if request.priority == 0, request.equality == usual, request.answers == 0,
      request.objection == nil, detail.asked == nil
    {
      return nil
    }
    self.init()
    priority = request.priority
    answers = request.answers
    objection = request.objection?.rawValue ?? 0
    asked = detail.asked.map(number) ?? 0
    if request.equality != usual {
      hasEquality = 1
      equality = request.equality
    }
  }

  /// The note of a rejection.
  init(_ refusal: Refusal, number: (StateName) -> UInt32) {
    self.init()
    switch refusal {
    case .busy: self.refusal = 1
    case .noRoute(let from):
      self.refusal = 2
      refusedFrom = from.map(number) ?? 0
    case .guarded(let from, let guarding):
      self.refusal = 3
      refusedFrom = from.map(number) ?? 0
      refusedNeeds = number(guarding)
    case .context(let from, let needs):
      self.refusal = 4
      refusedFrom = from.map(number) ?? 0
      refusedNeeds = number(needs)
    case .objection(let objection):
      self.refusal = 5
      self.objection = objection.rawValue
    }
  }
}
