/// What is worth a look about a track and its messages.
package struct TrackRemark: Sendable {
  /// What was seen.
  package enum Kind: UInt8, Sendable {
    /// An answer changed the track although a newer one of its kind had been answered before.
    case answerOutOfDate
    /// The same, but nothing is known of what is shown besides the name, which has not changed.
    case answerPerhapsOutOfDate
    /// An answer changed the track although a message of the user's had changed it since its question.
    case answerBehindUser
    /// An answer changed the track, and another answer had changed it since its question.
    case answerBehindAnswer
    /// An answer changed the track, and a message of the user's had changed what it shows within its name
    /// since the question.
    case answerBehindChange
    /// An answer changed the track, and since its question a message of the user's came that changed
    /// nothing.
    case answerBehindIgnored
    /// An answer pushed onto a path that has been popped since its question, outside of any message.
    case answerBehindPop
    /// A question was asked again before its answer.
    case askedTwice
    /// A question has two answers of one name.
    case answeredTwice
    /// A question has no answer, and others of its name have one.
    case neverAnswered
    /// A message was sent more often than it was received.
    case neverReceived
    /// The track changed outside of any message.
    case uncausedChange
    /// Another track of its name was there at the same time; its first event is the question.
    case aliveTwice
  }

  package private(set) var kind: Kind
  /// The event, its visit and its state or its message.
  package let seq: Int64
  package let time: Int64
  package let visit: UInt32
  package let state: Int32
  package let controller: Int32
  /// The question that it is about.
  package let question: Message
  /// The message that came in between.
  package private(set) var newer: Message
  /// How long it lasted; `nil` if it lasts until the session ends.
  package let lasted: Int64?

  /// A message: its event and its name; zeros if there is none, or if it is not remembered.
  package struct Message: Sendable {
    package var seq: Int64 = 0
    package var name: Int32 = 0
  }

  /// The same, seen as something else or behind another message.
  func `as`(_ kind: Kind, behind newer: Message? = nil) -> TrackRemark {
    var other = self
    (other.kind, other.newer) = (kind, newer ?? self.newer)
    return other
  }

  init(
    _ kind: Kind, _ row: EventRow, question: Message = Message(), newer: Message = Message(),
    lasted: Int64? = nil
  ) {
    self.lasted = lasted
    self.kind = kind
    (seq, time, visit, state) = (row.seq, row.time, row.visit, row.state)
    controller = row.controller
    (self.question, self.newer) = (question, newer)
  }
}
