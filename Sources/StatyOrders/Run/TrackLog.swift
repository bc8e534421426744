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
  let expected: [Entry]?
  /// Told of each entry.
  var onEntry: ((Entry) -> Void)?
  private var observers: [Observer] = []
  /// The places of messages among the entries, by the numbers of their events.
  private var messages: [UInt64: Int] = [:]
  // As in a recording: a message of one track may be the cause of another's change.
  private let numbering = Numbering()

  init(expected: [Entry]? = nil) { self.expected = expected }

  /// Lets tracks attach to the log of the run under control, at their first event.
  static func followTracks() {
    TrackDoor.follow { source, name in
      if Control.isOn { Control.run.tracks?.follow(source, name) }
    }
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

  private func note(_ entry: Entry, number: UInt64) {
    if entry.kind == .received { messages[number] = entries.count }
    if !isAstray { entries.append(entry) }
    compare(entry)
    onEntry?(entry)
  }

  /// How many entries are those that are expected.
  private(set) var matched = 0
  /// Whether something else has happened than is expected.
  private(set) var isAstray = false

  /// Compares an entry with the expected one.
  private func compare(_ entry: Entry) {
    guard let expected, !isAstray, matched < expected.count else { return }
    if expected[matched] == entry { matched += 1 } else { isAstray = true }
  }

  /// Whether everything has happened that is expected.
  var isComplete: Bool { expected.map { matched == $0.count } ?? false }

  /// What each track shows, by the names of the states.
  var standing: [String: [String]] {
    var standing: [String: [String]] = [:]
    for entry in entries where entry.kind == .moved {
      let (track, state) = (entry.source.description, entry.state.description)
      switch entry.change {
      case .pushed?: standing[track, default: []].append(state)
      case .popped?: _ = standing[track]?.popLast()
      case nil: standing[track] = [state]
      }
    }
    return standing
  }

  /// Whether a run need not go on.
  var isOver: Bool { isAstray || isComplete }

  /// What has happened instead of what was expected; `nil` if nothing has.
  var instead: Entry? { isAstray ? entries.last : nil }

  private final class Observer: TransitionObserver {
    // The log outlives no run, and a track may.
    private weak var log: TrackLog?
    private let name: StateName

    init(_ log: TrackLog, _ name: StateName) { (self.log, self.name) = (log, name) }

    func observe(_ event: borrowing TransitionEvent) {
      guard let log, Entry.kinds.contains(event.kind), let state = event.state else { return }
      let change: StackChange? = if case .change(let change) = event.detail { change } else { nil }
      let entry = Entry(
        source: name, kind: event.kind, state: state, change: change,
        cause: log.messages[event.cause])
      log.note(entry, number: event.number)
    }
  }
}

extension TrackLog.Entry {
  /// What is told of a run: what states do, and what reaches a track.
  static let kinds: Set<TransitionEvent.Kind> = [
    .received, .moved, .entering, .entered, .exiting, .exited, .discarded,
  ]

  /// The entry in a line.
  var words: String {
    switch kind {
    case .received: "\(source) received '\(state)'"
    case .moved:
      switch change {
      case .pushed?: "\(source) pushed \(state)"
      case .popped?: "\(source) popped \(state)"
      default: "\(source) moved to \(state)"
      }
    default: "\(source): \(state) \(kind)"
    }
  }
}
