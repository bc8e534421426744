internal import Staty
package import StatyHistory
internal import StatyReading
internal import StatyReplay

/// What was recorded of the tracks of a model: what it was told, and what it did.
package struct RecordedTracks {
  /// A message that follows from nothing in the model: what the user did.
  package struct Input {
    let track: StateName
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
  /// Why the recording does not hold the whole life of the model; `nil` if it does.
  package let gap: String?
  /// Whether the recording ends between two steps of the app: a crash may come within one.
  let isWhole: Bool
  /// The names of the model's tracks, also of those of which nothing was recorded.
  let names: Set<StateName>
}

extension RecordedTracks {
  /// - Parameters:
  ///   - records: the recorded tracks.
  ///   - tracks: the names of the model's tracks.
  package init(
    _ reader: HistoryReader, session: SessionRecord, tracks records: [ControllerRecord],
    named tracks: [String]
  ) throws {
    let recorded = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.kind) })
    let isLate = records.contains { SnapshotRecord($0.snapshot)?.isLate ?? false }
    let names = try reader.names()
    var (entries, numbers, inputs) = ([TrackLog.Entry](), [Int64](), [Input]())
    var fingerprints: [UInt32] = []
    var messages: [Int64: Int] = [:]
    // What the model did, and what others did because of it.
    var ofModel: Set<Int64> = []
    var events = try SessionEvents(reader, session: session, isTimed: false)
    var losses = LossReach(events.losses)
    var hasLost = false
    while let row = try events.next() {
      if losses.take(row) != nil, recorded[row.controller] != nil { hasLost = true }
      let cause = row.ownCause != 0 ? row.ownCause : row.inside
      let isOfModel = ofModel.contains(cause)
      if isOfModel || recorded[row.controller] != nil { ofModel.insert(row.seq) }
      guard let track = recorded[row.controller],
        let kind = TransitionEvent.Kind(rawValue: row.kind),
        kind == .received || kind == .moved, let name = names[row.state]
      else { continue }
      let state = StateName(name)
      // What another model or a controller tells it comes from outside, too. What an earlier session led to
      // may be an answer.
      if kind == .received, !isOfModel, cause == 0 || cause >= session.firstSeq {
        let payload = events.detail?.payload.map { String(decoding: $0, as: UTF8.self) }
        inputs.append(
          Input(track: StateName(track), name: state, payload: payload, place: entries.count))
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
    gap =
      isLate
      ? "the recording begins when the model has done something already"
      : hasLost ? "events of the model were lost" : nil
    isWhole = session.ended == .clean || session.ended == .suspended
    self.names = Set(tracks.map { StateName($0) })
  }

  /// The same without moves that changed nothing.
  var changes: RecordedTracks {
    var unchanged = UnchangedMoves()
    var kept: [Int] = []
    // How many of the entries before each place are kept.
    var places = [0]
    for place in entries.indices {
      if !unchanged.takes(entries[place], fingerprints[place]) { kept.append(place) }
      places.append(kept.count)
    }
    return RecordedTracks(
      entries: kept.map { number in
        let one = entries[number]
        return .init(
          source: one.source, kind: one.kind, state: one.state, change: one.change,
          cause: one.cause.map { places[$0] })
      }, fingerprints: kept.map { fingerprints[$0] }, events: kept.map { events[$0] },
      inputs: inputs.map {
        Input(track: $0.track, name: $0.name, payload: $0.payload, place: places[$0.place])
      }, gap: gap, isWhole: isWhole, names: names)
  }

  /// The messages that several tracks receive: their names do not say which call is meant.
  var ambiguous: Set<StateName> {
    let tracks = Dictionary(grouping: inputs, by: \.name).mapValues { Set($0.map(\.track)) }
    return Set(tracks.filter { $1.count > 1 }.keys)
  }

  /// How many changes were recorded.
  package var moves: Int { moves(first: entries.count) }

  /// How many of the first entries are changes.
  package func moves(first count: Int) -> Int { entries.prefix(count).count { $0.kind == .moved } }

  /// The earlier entry of the same track that showed the same; `nil` if there is none.
  package func sameAsEarlier(_ place: Int) -> Int? {
    (0..<place).last {
      entries[$0].source == entries[place].source && fingerprints[$0] == fingerprints[place]
    }
  }

  /// An entry in words.
  package func words(_ place: Int) -> String { entries[place].words() }
}
