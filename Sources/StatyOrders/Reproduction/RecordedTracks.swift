internal import Staty
package import StatyHistory
internal import StatyReading
internal import StatyReplay

/// What was recorded of the tracks of a model: what it was told, and what it did.
package struct RecordedTracks {
  /// A message that follows from nothing: what the user did.
  package struct Input {
    let name: StateName
    let payload: String?
    /// How much had happened before.
    let place: Int

    /// What the user did, with its values if they are short.
    var called: String {
      payload.flatMap(MessageText.brief).map { "\(name) \($0)" } ?? name.description
    }
  }

  let entries: [TrackLog.Entry]
  /// Hashes of what the entries show.
  let fingerprints: [UInt32]
  /// The numbers of the events of the entries.
  package let events: [Int64]
  package let inputs: [Input]

  /// - Parameter tracks: the tracks, by their numbers in the file.
  package init(
    _ reader: HistoryReader, session: SessionRecord, tracks: [Int32: String]
  ) throws {
    let names = try reader.names()
    var (entries, numbers, inputs) = ([TrackLog.Entry](), [Int64](), [Input]())
    var fingerprints: [UInt32] = []
    var messages: [Int64: Int] = [:]
    var events = try SessionEvents(reader, session: session, isTimed: false)
    while let row = try events.next() {
      guard let track = tracks[row.controller], let kind = TransitionEvent.Kind(rawValue: row.kind),
        kind == .received || kind == .moved, let name = names[row.state]
      else { continue }
      let state = StateName(name)
      if kind == .received, row.inside == 0, row.ownCause == 0 {
        let payload = events.detail?.payload.map { String(decoding: $0, as: UTF8.self) }
        inputs.append(Input(name: state, payload: payload, place: entries.count))
      }
      let change: StackChange? =
        switch row.reason {
        case EventReason.movedPush.code: .pushed
        case EventReason.movedPop.code: .popped
        default: nil
        }
      if kind == .received { messages[row.seq] = entries.count }
      entries.append(
        TrackLog.Entry(
          source: StateName(track), kind: kind, state: state, change: kind == .moved ? change : nil,
          cause: messages[row.ownCause != 0 ? row.ownCause : row.inside]))
      numbers.append(row.seq)
      fingerprints.append(kind == .moved ? events.detail?.equality ?? 0 : 0)
    }
    self.fingerprints = fingerprints
    (self.entries, self.events, self.inputs) = (entries, numbers, inputs)
  }

  /// The same without moves that changed nothing.
  var changes: RecordedTracks {
    var repetition = Repetition()
    let kept = entries.indices.filter { !repetition.takes(entries[$0], fingerprints[$0]) }
    /// How many of the entries before a place are kept.
    func place(_ place: Int) -> Int { kept.firstIndex { $0 >= place } ?? kept.count }
    return RecordedTracks(
      entries: kept.map { number in
        let one = entries[number]
        return .init(
          source: one.source, kind: one.kind, state: one.state, change: one.change,
          cause: one.cause.map(place))
      }, fingerprints: kept.map { fingerprints[$0] }, events: kept.map { events[$0] },
      inputs: inputs.map { Input(name: $0.name, payload: $0.payload, place: place($0.place)) })
  }

  private init(
    entries: [TrackLog.Entry], fingerprints: [UInt32], events: [Int64], inputs: [Input]
  ) {
    (self.entries, self.fingerprints) = (entries, fingerprints)
    (self.events, self.inputs) = (events, inputs)
  }

  /// How many changes were recorded.
  package var moves: Int { entries.count { $0.kind == .moved } }

  /// The earlier entry of the same track that showed the same; `nil` if there is none.
  package func sameAsEarlier(_ place: Int) -> Int? {
    (0..<place).last {
      entries[$0].source == entries[place].source && fingerprints[$0] == fingerprints[place]
    }
  }

  /// An entry in words.
  package func words(_ place: Int) -> String { entries[place].words() }
}
