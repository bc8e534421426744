import StatyText

/// The keys of a history in text.
///
/// The words are part of the format: a word never changes its meaning. Their order is that in which
/// they are written.
enum TransferKey: Int, CaseIterable {
  // The first line.
  case format, version, sessions
  /// The type of the line; an event, if there is none.
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
  // Losses.
  case lastSeq, count
  // Findings.
  case code, severity, detail, final

  /// The word in the file.
  var word: String { Self.words[rawValue] }

  /// The key with this word.
  init?(word: String) {
    guard let place = Self.places[word] else { return nil }
    self = Self.allCases[place]
  }

  static let words = allCases.map { "\($0)".words(joinedBy: "_") }
  private static let places = Dictionary(
    uniqueKeysWithValues: words.enumerated().map { ($0.element, $0.offset) })

  /// Whether its value is a text of any length that names nothing.
  var isFree: Bool {
    switch self {
    case .note, .payload, .payloadBase64, .snapshotText, .detail: true
    default: false
    }
  }
}

/// The types of lines of a history in text.
enum TransferType: String, CaseIterable {
  case session, anchor, controller, event, loss, finding, end
}
