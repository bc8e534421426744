package import Staty

/// The rare parts of an event, besides its row.
///
/// A number that stands for "none" is 0 where 0 means nothing else, and absent otherwise.
package struct EventDetail: Equatable, Sendable {
  /// The event's number.
  package var seq: Int64
  /// The first visit of the same object, if that is another; 0 if not.
  package var instance: UInt32 = 0
  /// The visit that made the request; 0 if that is not known.
  package var origin: UInt32 = 0
  /// How urgent the request is.
  package var priority: Int32 = 0
  /// The request's equality to others, if it does not follow from the instance; of a move, the hash of
  /// what the track shows, if the app says it.
  package var equality: UInt32?
  /// What the guards answered, a bit for each.
  package var answers: UInt64 = 0
  /// The number of the name of a contextual destination that was requested; of a message, of the part that
  /// it is about.
  package var asked: Int32 = 0
  /// Why the driver found that the request may not be carried out, as `Objection` numbers it.
  package var objection: UInt8 = 0
  /// With a rejection its reason, as `RefusalRecord` numbers it; otherwise 0.
  package var refusal: UInt8 = 0
  /// The number of the name of the state that no open route leads from.
  package var refusedFrom: Int32 = 0
  /// The number of the name of the guard that said no, or of the type that was needed.
  package var refusedNeeds: Int32 = 0
  /// Which of its controller's steps ran, from 1; 0 if that is not known.
  package var step: UInt32 = 0
  /// For a visit that was open when recording began: the microseconds since its phase began; 0 if
  /// not known.
  package var age: Int64 = 0
  /// The text of a mark.
  package var note: String?
  /// The payload, in the form in which it may be stored.
  package var payload: [UInt8]?

  /// The text in place of a payload that was left out because there was no room.
  package static let payloadLeftOut = Array("(left out: no room)".utf8)

  /// Whether its payload was.
  package var isPayloadLeftOut: Bool { payload != nil && payload == EventDetail.payloadLeftOut }

  /// An empty detail of the event with this number.
  package init(seq: Int64) {
    self.seq = seq
  }
}

extension EventDetail {
  /// Sets how a request was made, besides its origin and its priority.
  ///
  /// - Parameter number: the number of a name in the file.
  package mutating func set(
    _ asked: RequestDetail, of event: borrowing TransitionEvent, number: (StateName) -> Int32
  ) {
    let visit = event.visit?.rawValue ?? 0
    let first = event.instance?.rawValue ?? visit
    instance = first == visit ? 0 : first
    if asked.request.equality != first << 1 { equality = asked.request.equality }
    answers = asked.request.answers
    objection = asked.request.objection?.rawValue ?? 0
    self.asked = asked.asked.map(number) ?? 0
  }

  /// Says why a request was rejected.
  package mutating func set(_ refused: Refusal, number: (StateName) -> Int32) {
    let stored = RefusalRecord(refused)
    refusal = stored.code
    refusedFrom = stored.from.map(number) ?? 0
    refusedNeeds = stored.needs.map(number) ?? 0
    objection = stored.objection?.rawValue ?? 0
  }
}
