/// What a line of a history in text can say: the key in JSON, the column in CSV.
///
/// The words are part of the format: one that has been given never means anything else. Their order
/// is that in which they are written.
enum TransferKey: Int, CaseIterable {
  // The first line.
  case format, version, sessions
  /// What the line is about; an event, if it is not said.
  case type
  // Events.
  case seq, tUs, kind, controller, visit, state, reason, inside, part, cause, thread
  case origin, instance, priority, equality, answers, asked, step, ageUs, objection
  case refusal, refusedFrom, refusedNeeds, site, line, note, payload, payloadBase64
  // Sessions and their ends.
  case session, uuid, run, app, appVersion, os, pid, wallUs, firstSeq
  case ended, events, observed, payloadsLeftOut
  // Controllers.
  case key, policy, discipline, fidelity, snapshot, snapshotText
  // What is lost.
  case lastSeq, count
  // What the rules found.
  case code, severity, detail, final

  /// The word in the file.
  var word: String { Self.words[rawValue] }

  /// The key with this word.
  init?(word: String) {
    guard let place = Self.places[word] else { return nil }
    self = Self.allCases[place]
  }

  static let words = allCases.map { snake("\($0)") }
  private static let places = Dictionary(
    uniqueKeysWithValues: words.enumerated().map { ($0.element, $0.offset) })

  private static func snake(_ name: String) -> String {
    name.reduce(into: "") { word, character in
      word += (character.isUppercase ? "_" : "") + character.lowercased()
    }
  }

  /// Whether it says a text of any length, which stands for itself and names nothing.
  var isFree: Bool {
    switch self {
    case .note, .payload, .payloadBase64, .snapshotText, .detail: true
    default: false
    }
  }
}

/// What a line of a history in text is about.
enum TransferType: String, CaseIterable {
  case session, anchor, controller, event, loss, finding, end
}
