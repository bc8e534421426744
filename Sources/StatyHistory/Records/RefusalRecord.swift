package import Staty

/// Why a request was rejected, as an event's detail stores it.
package struct RefusalRecord {
  /// 1 busy, 2 no route, 3 guarded, 4 context, 5 objection.
  package let code: UInt8
  /// The state that no open route leads from.
  package private(set) var from: StateName?
  /// The guard that said no, or the type that was needed.
  package private(set) var needs: StateName?
  /// Why the driver did not carry out the request.
  package private(set) var objection: Objection?

  package init(_ refusal: Refusal) {
    switch refusal {
    case .busy: code = 1
    case .noRoute(let from): (code, self.from) = (2, from)
    case .guarded(let from, let guarding): (code, self.from, needs) = (3, from, guarding)
    case .context(let from, let needs): (code, self.from, self.needs) = (4, from, needs)
    case .objection(let objection): (code, self.objection) = (5, objection)
    }
  }

  /// The codes in exported lines.
  package static let words: KeyValuePairs<String, UInt8> = [
    "busy": 1, "no-route": 2, "guarded": 3, "context": 4, "objection": 5,
  ]
}

extension Refusal {
  /// The reason of a rejection in an event's detail; `nil` if it holds no known one.
  package init?(_ detail: EventDetail, naming names: (Int32) -> StateName?) {
    let from = names(detail.refusedFrom)
    switch detail.refusal {
    case 1: self = .busy
    case 2: self = .noRoute(from: from)
    case 3:
      guard let guarding = names(detail.refusedNeeds) else { return nil }
      self = .guarded(from: from, guard: guarding)
    case 4:
      guard let needs = names(detail.refusedNeeds) else { return nil }
      self = .context(from: from, needs: needs)
    case 5:
      guard let objection = Objection(rawValue: detail.objection) else { return nil }
      self = .objection(objection)
    default: return nil
    }
  }
}
