import StatyHistory
import StatyRules

/// What a text says that the rules found, held against what they find.
///
/// A text can be edited, and a history that says what the rules do not would be taken for damaged.
struct ImportedFindings {
  private let said: [HistoryImport.SaidFinding]
  private static let most = 20

  init(_ said: [HistoryImport.SaidFinding]) { self.said = said }

  /// Gives up what a session has that was just imported where it is not all that the rules find.
  ///
  /// - Returns: whether the rules are to be asked anew.
  /// - Throws: `ImportRefusal` if the text says of an event what they do not find there.
  func settle(in writer: HistoryWriter) throws -> Bool {
    let reader = try writer.reader()
    let sessions = Set(said.map(\.record.session))
    var isMistaken = false
    for session in try reader.sessions() {
      let isSaid = sessions.contains(session.id)
      guard try isSaid || reader.checked(session: session.id) != nil else { continue }
      let result = try HistoryCheck(reader).session(session.id)
      switch try StoredFindings(result, in: reader) {
      case .unfinished, .equal: continue
      case .none, .contradicted:
        try refuseStrangers(result)
        try FindingKeeper.forget(session: session, in: writer)
        isMistaken = true
      }
    }
    return isMistaken
  }

  /// Which rule an event breaks, whatever the sentence is in which that is said.
  private struct Place: Hashable {
    let seq: Int64
    let code: String
    let controller: Int32
    let visit: UInt32
  }

  private func refuseStrangers(_ result: HistoryCheck.Result) throws {
    let found = Set(
      result.findings.map {
        Place(
          seq: $0.seq, code: $0.code.rawValue, controller: $0.controller, visit: $0.visit)
      })
    let strangers = said.filter { said in
      let record = said.record
      let place = Place(
        seq: record.seq, code: record.code, controller: record.controller, visit: record.visit)
      return record.session == result.session && !found.contains(place)
    }
    if strangers.isEmpty { return }
    throw ImportRefusal(
      problems: strangers.prefix(Self.most).map {
        ImportRefusal.Problem(
          line: $0.line,
          message: "event \($0.record.seq) does not break '\($0.record.code)' as it is said here",
          advice: "Leave the line out; what the rules find is added.")
      }, isCut: strangers.count > Self.most)
  }
}
