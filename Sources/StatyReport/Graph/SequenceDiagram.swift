import Staty
package import StatyHistory
import StatyReading
import StatyRules

/// A session as a sequence diagram: the requests, the messages, what states were told, and the answers.
///
/// What came from outside comes from the user if it answers nothing; answers and the reports of
/// states come from the platform.
package struct SequenceDiagram {
  private enum Party: Hashable {
    case user, platform
    case controller(Int32)
  }

  private enum Line {
    case arrow(Party, Party, isAnswer: Bool, String)
    case note(Int32, String)
    /// Events are missing.
    case gap(String)
  }

  /// Whether there are earlier events, which are not drawn.
  package private(set) var isCut = false
  private var lines: [Line] = []
  /// How far an event may lie before one that was told earlier, in microseconds.
  private static let mostBack: Int64 = 1_000_000
  private let names: [Int32: String]
  private let controllers: [Int32: ControllerRecord]

  /// Whether nothing is drawn; gaps alone are not.
  package var isEmpty: Bool { parties.isEmpty }

  /// Reads the last events of a time.
  ///
  /// - Parameters:
  ///   - limit: the most arrows and notes.
  ///   - isMeant: whether a controller is drawn.
  package init(
    _ reader: HistoryReader, session: SessionRecord, times: ClosedRange<Int64>, limit: Int,
    where isMeant: (ControllerRecord) -> Bool
  ) throws {
    names = try reader.names()
    let records = try reader.controllers(session: session.id)
    controllers = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
    let meant = Set(records.filter(isMeant).map(\.id))
    var losses = try reader.losses(session: session.id)
    let events = try reader.events(session: session.id, isReversed: true)
    var found: [Line] = []
    // What several threads told may lie a little before what was told earlier.
    let first = max(times.lowerBound, .min + Self.mostBack) - Self.mostBack
    while let row = try events.next(), row.time >= first {
      guard times.contains(row.time) else {
        if row.time > times.upperBound { losses.removeAll { $0.firstSeq > row.seq } }
        continue
      }
      while let loss = losses.last, loss.firstSeq > row.seq {
        found.append(Self.gap(loss))
        losses.removeLast()
      }
      guard meant.contains(row.controller), let line = try line(row, reader, session.id) else {
        continue
      }
      if found.count >= limit {
        isCut = true
        break
      }
      found.append(line)
    }
    // These are missing at the beginning of the session.
    if !isCut, times.lowerBound == .min { found += losses.reversed().map(Self.gap) }
    isCut = isCut || found.count > limit
    lines = found.prefix(limit).reversed()
  }

  private static func gap(_ loss: LossRecord) -> Line {
    .gap(loss.count == 1 ? "1 event is missing" : "\(loss.count) events are missing")
  }

  private func line(
    _ row: EventRow, _ reader: HistoryReader, _ session: Int64
  ) throws -> Line? {
    let own = Party.controller(row.controller)
    switch EventKind(rawValue: row.kind) {
    case .received, .enqueued, .cancelled, .sent:
      var (source, answers) = (Party.user, "")
      let cause = row.ownCause == 0 ? nil : try reader.event(row.ownCause, session: session)
      if let cause {
        source = .platform
        let isAnswer = cause.kind == EventKind.received.rawValue
        answers = isAnswer ? " (answers \(cause.seq))" : " (because of \(cause.seq))"
      }
      if row.inside != 0, let around = try reader.event(row.inside, session: session) {
        source = .controller(around.controller)
      }
      return .arrow(source, own, isAnswer: cause != nil, text(row) + answers)
    case .resumed: return .arrow(own, own, isAnswer: false, text(row))
    case .entering, .exiting, .calling: return .arrow(own, .platform, isAnswer: false, text(row))
    case .entered, .exited, .stray, .deadline:
      return .arrow(.platform, own, isAnswer: true, text(row))
    case .moved:
      // A change that a call of asynchronous code causes later is its answer.
      guard row.ownCause != 0, row.inside == 0,
        let cause = try reader.event(row.ownCause, session: session),
        cause.kind == EventKind.received.rawValue
      else { return .note(row.controller, text(row)) }
      return .arrow(.platform, own, isAnswer: true, text(row) + " (answers \(cause.seq))")
    case .discarded, .stood: return .note(row.controller, text(row))
    case .attached, .detached, .mark, .lost, nil: return nil
    }
  }

  /// The number of an event and what happened: `8 enqueued #3 alert`; of a message its name alone.
  private func text(_ row: EventRow) -> String {
    let what = row.kind == EventKind.received.rawValue ? nil : row.happening
    let visit = row.visit == 0 ? nil : "#\(row.visit)"
    let name = names[row.state].map(GraphWords.name)
    return (["\(row.seq)"] + [what, visit, name].compactMap(\.self)).joined(separator: " ")
  }
}

extension SequenceDiagram {
  /// The diagram as Mermaid's sequence diagram.
  ///
  /// Participants have names of their own, so that no name from a history can break the syntax.
  package var mermaid: String {
    let ordered = parties.sorted { Self.place($0) < Self.place($1) }
    var text = ["sequenceDiagram"]
    text += ordered.map { party in
      switch party {
      case .user: "  actor user"
      case .platform: "  participant platform"
      case .controller(let number): "  participant \(Self.id(party)) as \(called(number))"
      }
    }
    let all = [ordered.first, ordered.last].compactMap(\.self).map(Self.id)
    for line in lines {
      switch line {
      case .arrow(let from, let to, let isAnswer, let words):
        let arrow = isAnswer ? "-->>" : "->>"
        text.append(
          "  \(Self.id(from))\(arrow)\(Self.id(to)): \(DrawingText.mermaid(words))")
      case .note(let controller, let words):
        text.append(
          "  Note over \(Self.id(.controller(controller))): \(DrawingText.mermaid(words))")
      case .gap(let words):
        guard !all.isEmpty else { continue }
        text.append(
          "  Note over \(Set(all).count == 1 ? all[0] : all.joined(separator: ",")): \(words)")
      }
    }
    return text.joined(separator: "\n") + "\n"
  }

  private var parties: Set<Party> {
    var parties: Set<Party> = []
    for line in lines {
      switch line {
      case .arrow(let from, let to, _, _): parties.formUnion([from, to])
      case .note(let controller, _): parties.insert(.controller(controller))
      case .gap: break
      }
    }
    return parties
  }

  /// From left to right: the user, the controllers, the platform.
  private static func place(_ party: Party) -> Int64 {
    switch party {
    case .user: .min
    case .controller(let number): Int64(number)
    case .platform: .max
    }
  }

  private static func id(_ party: Party) -> String {
    switch party {
    case .user: "user"
    case .platform: "platform"
    // A damaged file may hold any number.
    case .controller(let number): "c\(UInt32(bitPattern: number))"
    }
  }

  private func called(_ controller: Int32) -> String {
    let name = controllers[controller].map { GraphWords.name($0.name) } ?? ""
    let isBlank = name.allSatisfy(\.isWhitespace)
    return DrawingText.mermaid(isBlank ? "controller \(controller)" : name)
  }
}
