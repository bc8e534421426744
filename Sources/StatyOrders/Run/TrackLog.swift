internal import Staty

/// What the tracks and controllers of a run have done, in order.
final class TrackLog {
  /// A change of a track, a message, or an event of a controller.
  struct Entry: Hashable, Sendable {
    let source: StateName
    let kind: TransitionEvent.Kind
    let state: StateName
    let change: StackChange?
    /// Which entry is the message that it follows from; `nil` if that is not known.
    let cause: Int?
  }

  private(set) var entries: [Entry] = []
  /// What has to happen, if a recording is looked for.
  private let expected: RecordedTracks?
  private var likeness = Likeness()
  /// A track, the last hash of what it shows, and what it showed before its first event.
  private struct Followed {
    let track: Track
    let initial: ShownTracks.Screen
    var fingerprint = Fingerprint.none
  }

  private var tracks: [Followed] = []
  /// Told of each entry.
  var onEntry: ((Entry) -> Void)?
  private var observers: [Observer] = []
  /// The places of messages among the entries, by the numbers of their events.
  private var messages: [UInt64: Int] = [:]
  // As in a recording: a message of one track may be the cause of another's change.
  private let numbering = Numbering()

  /// Whether moves that change nothing are not compared.
  private let comparesChangesAlone: Bool

  init(expected: RecordedTracks? = nil, comparingChangesAlone: Bool = false) {
    (self.expected, comparesChangesAlone) = (expected, comparingChangesAlone)
  }

  /// Lets tracks attach to the log of the run under control, at their first event.
  static func followTracks() {
    TrackDoor.follow { track in
      if Control.isOn { Control.run.tracks?.follow(track) }
    }
  }

  private func follow(_ track: Track) {
    (track.isShowing, track.tellsSame) = (true, true)
    let names = track.events.snapshot.standing.standing.map { $0.request.state.description }
    tracks.append(
      Followed(
        track: track,
        initial: .init(names: names, value: .init(track.lastShown, Fingerprint.unknown))))
    follow(track.events, track.name)
  }

  /// Ends that.
  static func leaveTracks() { TrackDoor.follow(nil) }

  /// Follows a source under a name.
  func follow(_ source: EventSource, _ name: StateName) {
    let observer = Observer(self, name)
    observers.append(observer)
    // Only a recording is compared, and a test that has a recorder of its own may attach it yet.
    if expected != nil { _ = source.share(numbering) }
    source.add(observer)
  }

  private func note(_ entry: Entry, number: UInt64, _ fingerprint: UInt32) {
    // What other models do besides the recorded one is told, and not compared.
    if let expected, !expected.names.contains(entry.source) {
      onEntry?(entry)
      return
    }
    if entry.kind == .received { messages[number] = counted }
    if entry.kind == .moved, let place = tracks.firstIndex(where: { $0.track.name == entry.source })
    {
      tracks[place].fingerprint = fingerprint
    }
    if !isAstray { entries.append(entry) }
    if !comparesChangesAlone || !unchanged.takes(entry, fingerprint) {
      counted += 1
      compare(entry, fingerprint)
    }
    onEntry?(entry)
  }

  private var unchanged = UnchangedMoves()
  /// How many entries were compared.
  private var counted = 0
  /// How many entries are those that are expected.
  private(set) var matched = 0
  /// Whether something else has happened than is expected.
  private(set) var isAstray = false
  /// Whether the run has come to its end: what its model does when it is released is not compared.
  var isEnded = false
  /// The first entry whose name is the expected one, and what it shows is not, as far as hashes tell.
  private(set) var unlike: Int?

  /// Compares an entry with the expected one.
  private func compare(_ entry: Entry, _ fingerprint: UInt32) {
    guard let expected, !isAstray, !isEnded else { return }
    let isPast = matched == expected.entries.count
    if isPast, !expected.isWhole { return }
    // Behind the last one, only the rest of its step is still run: a whole recording does not end within.
    if isPast || expected.entries[matched] != entry {
      isAstray = true
      return
    }
    if unlike == nil, !likeness.holds(entry.source, expected.fingerprints[matched], fingerprint) {
      unlike = matched
    }
    matched += 1
  }

  /// Whether everything has happened that is expected, by its names.
  var isComplete: Bool {
    expected.map { matched == $0.entries.count && !isAstray } ?? false
  }

  /// What the tracks show.
  ///
  /// - Parameter hidden: told the names of tracks that show more than can be compared.
  func shown(hidden: (StateName) -> Void) -> ShownTracks {
    // A path may not be empty at first.
    var names = Dictionary(
      tracks.map { ($0.track.name.description, $0.initial.names) },
      uniquingKeysWith: { one, _ in one })
    var moved: Set<String> = []
    for entry in entries where entry.kind == .moved {
      let (track, state) = (entry.source.description, entry.state.description)
      moved.insert(track)
      switch entry.change {
      case .pushed?: names[track, default: []].append(state)
      case .popped?: _ = names[track]?.popLast()
      case nil: names[track] = [state]
      }
    }
    for one in tracks where one.track.hidesValue { hidden(one.track.name) }
    var shown = ShownTracks()
    for one in tracks {
      let name = one.track.name.description
      shown.initial[name] = one.initial
      shown.screens[name] = (moved.contains(name) ? names[name] : nil).map {
        .init(names: $0, value: .init(one.track.shown, one.fingerprint))
      }
    }
    return shown
  }

  /// Whether a run need not go on.
  var isOver: Bool { isAstray || isComplete }

  /// What has happened instead of what was expected; `nil` if nothing has.
  var instead: Entry? { isAstray ? entries.last : nil }

  /// What the track of a change shows now; `nil` if its name says all, or it is a path.
  func shown(after entry: Entry) -> String? {
    guard entry.isChange,
      let one = tracks.first(where: { $0.track.name == entry.source })
    else { return nil }
    guard let text = ShownTracks.Value(one.track.shown, one.fingerprint).text else { return nil }
    return text.count > 120 ? text.prefix(119) + "…" : text
  }

  private final class Observer: TransitionObserver {
    // The log outlives no run, and a track may.
    private weak var log: TrackLog?
    private let name: StateName

    init(_ log: TrackLog, _ name: StateName) { (self.log, self.name) = (log, name) }

    func observe(_ event: borrowing TransitionEvent) {
      guard let log, Entry.kinds.contains(event.kind), let state = event.state else { return }
      let change: StackChange? = if case .change(let change) = event.detail { change } else { nil }
      let fingerprint = if case .showing(let hash) = event.detail { hash } else { Fingerprint.none }
      let entry = Entry(
        source: name, kind: event.kind, state: state, change: change,
        cause: log.messages[event.cause])
      log.note(entry, number: event.number, fingerprint)
    }
  }
}

extension TrackLog.Entry {
  /// What is told of a run: what states do, and what reaches a track.
  static let kinds: Set<TransitionEvent.Kind> = [
    .received, .moved, .entering, .entered, .exiting, .exited, .discarded,
  ]

  /// Whether a track with one value at a time has moved.
  var isChange: Bool { kind == .moved && change == nil }

  /// The entry in a line.
  ///
  /// - Parameter shown: what its track shows now, if that is more than a name.
  func words(showing shown: String? = nil) -> String {
    switch kind {
    case .received: "\(source) received '\(state)'"
    case .moved:
      switch change {
      case .pushed?: "\(source) pushed \(state)"
      case .popped?: "\(source) popped \(state)"
      default: "\(source) moved to \(shown ?? state.description)"
      }
    default: "\(source): \(state) \(kind)"
    }
  }
}
