import Staty
import StatyHistory

extension NotedDetail {
  /// Whether a request needs no note, because the record has all of it.
  @inline(__always)
  static func isUsual(_ detail: borrowing RequestDetail, instance: VisitNumber) -> Bool {
    let request = detail.request
    guard request.priority == 0, request.equality == instance.rawValue << 1, request.answers == 0,
      request.objection == nil, detail.asked == nil
    else { return false }
    return true
  }

  /// The details of a request.
  init(_ detail: borrowing RequestDetail, instance: VisitNumber, number: (StateName) -> UInt32) {
    let request = detail.request
    self.init()
    priority = request.priority
    answers = request.answers
    objection = request.objection?.rawValue ?? 0
    asked = detail.asked.map(number) ?? 0
    if request.equality != instance.rawValue << 1 {
      hasEquality = 1
      equality = request.equality
    }
  }

  /// The details of a rejection.
  init(_ refusal: Refusal, number: (StateName) -> UInt32) {
    let stored = RefusalRecord(refusal)
    self.init()
    self.refusal = stored.code
    refusedFrom = stored.from.map(number) ?? 0
    refusedNeeds = stored.needs.map(number) ?? 0
    objection = stored.objection?.rawValue ?? 0
  }
}
