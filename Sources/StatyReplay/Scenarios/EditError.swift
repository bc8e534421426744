/// Why an edit of a recording is wrong.
package enum EditError: Error, Hashable {
  /// The edit in this line of an edit script is wrong.
  indirect case inLine(Int, EditError)
  /// A line of an edit script begins with this text, which is no edit.
  case unknownEdit(String)
  /// The text does not say which event an edit of this verb is about.
  case noNumber(String, String)
  /// The text does not say which input is delayed, or by how long.
  case noDelay(String)
  /// The text does not say which state is requested, or after which event.
  case noInsertion(String)
  /// The time in this text is longer than ``Edit/longest``, or negative.
  case tooLong(String)
  /// The assumed time of states is longer than ``Edit/longest``, or negative.
  case assumptionTooLong(microseconds: Int64)
  /// Both edit the same event, and contradict each other.
  case contradiction(Edit, Edit)
  /// The replayed part of the session has no such event.
  case noEvent(Edit, session: Int64)
  /// The event is in another session than the replayed one.
  case otherSession(Edit, session: Int64, replayed: Int64)
  /// The event is not of a controller that is replayed.
  case notReplayed(Edit, session: Int64)
  /// The event is no input: a controller decided it, or it is a note that no controller is told of.
  case noInput(Edit, session: Int64)
  /// The event is of a track, which gets messages and no requests.
  case insertedAtTrack(Edit, session: Int64)
  /// The event begins or ends the recording of a controller, which a replay cannot change.
  case endOfRecording(Edit, session: Int64)
  /// The event does not report `finished: false`.
  case nothingToFinish(Edit, session: Int64)
  /// The event holds a value that no version has written.
  case unreadable(Edit, session: Int64)
}

extension EditError {
  /// Whether the edit is wrong for every recording.
  package var isMalformed: Bool {
    switch self {
    case .inLine(_, let error): error.isMalformed
    case .unknownEdit, .noNumber, .noDelay, .noInsertion, .tooLong, .assumptionTooLong:
      true
    case .contradiction, .noEvent, .otherSession, .notReplayed, .noInput, .insertedAtTrack,
      .endOfRecording, .unreadable, .nothingToFinish:
      false
    }
  }
}

extension EditError: CustomStringConvertible {
  /// What is wrong, and how it should be.
  package var description: String {
    switch self {
    case .inLine(let line, let error): "Line \(line): \(error)"
    case .unknownEdit(let verb):
      "'\(verb)' is no edit. There are 'skip', 'delay', 'finish' and 'insert'."
    case .noNumber(let verb, let text):
      "'\(text)' is not the number of an event. Write '\(verb) 12'."
    case .noDelay(let text): "'\(text)' is not an event and a time. Write 'delay 12=50ms'."
    case .noInsertion(let text):
      "'\(text)' is not a place and a state. Write 'insert after 12: alert'."
    case .tooLong(let text): "'\(text)' is a time that is not between 0 and 365 days."
    case .assumptionTooLong(let time):
      "A state cannot be assumed to take \(time) us, which is not between 0 and 365 days."
    case .contradiction(let one, let other):
      "'\(one)' and '\(other)' are both about event \(one.seq). Leave one of them out."
    case .noEvent(let edit, let session):
      "'\(edit)': there is no event \(edit.seq) in what is replayed of session \(session)."
    case .otherSession(let edit, let session, let replayed):
      "'\(edit)': event \(edit.seq) is one of session \(session), and session \(replayed) is replayed."
    case .notReplayed(let edit, let session):
      "'\(edit)': \(Self.event(edit, session)) is not of a controller that is replayed."
    case .noInput(let edit, let session): "'\(edit)': \(Self.event(edit, session)) is no input."
    case .insertedAtTrack(let edit, let session):
      "'\(edit)': \(Self.event(edit, session)) is of a track. A track gets messages; no state can "
        + "be requested of it."
    case .endOfRecording(let edit, let session):
      "'\(edit)': \(Self.event(edit, session)) is where the recording of a controller begins or "
        + "ends, which cannot be changed."
    case .nothingToFinish(let edit, let session):
      "'\(edit)': \(Self.event(edit, session)) does not report 'finished: false'."
    case .unreadable(let edit, let session):
      "'\(edit)': \(Self.event(edit, session)) says something that no version has written."
    }
  }

  private static func event(_ edit: Edit, _ session: Int64) -> String {
    "event \(edit.seq) of session \(session)"
  }
}
