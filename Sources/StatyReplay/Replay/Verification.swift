package import StatyHistory

/// Replays one session: tells new controllers every recorded input, and compares their outputs with
/// the recorded ones.
///
/// The file is read once, and memory does not grow with it, but for the states that an app's own classes are given.
/// `ClassReplay` drives, also where no class is: it asks the `RecordingWindow` for the next event. The window reads on
/// (`RecordedEvents`) and gives each event to the `PolicyReplay` first, which tells its policy and compares at once;
/// what belongs to a class waits in the window. `ClassReplay` tells the classes of the `Cast` their inputs; they report
/// back (`made`, `heard`, `finished`), and it takes the event that matches out of the window. Both write what they find
/// into one `ReplayAccount`, which ends as the `ReplayResult`. Scenarios are played elsewhere: see `ScheduleRun`.
package struct Verification {
  private let reader: HistoryReader
  private let session: SessionRecord
  private let last: Int64?
  private let cast: Cast
  private let names: RecordedNames

  /// A verification of the session with this number.
  ///
  /// - Parameters:
  ///   - last: the number of the event to end with; by default the session's last.
  ///   - only: the numbers of the controllers to replay; by default all.
  ///   - registry: how controllers are made.
  ///   - replacement: which controllers are made under another name than the recorded one.
  /// - Throws: a `HistoryError`, or a `RegistryError` if no controller has the replacement's name.
  package init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil, only: Set<Int32>? = nil,
    registry: ControllerRegistry = ControllerRegistry(), with replacement: Replacement = .none
  ) throws {
    let controllers = registry.current(try reader.controllers(session: session))
    cast = try Cast(controllers, only: only, registry: registry, with: replacement)
    self.reader = reader
    self.session = try reader.session(session)
    self.last = last
    names = RecordedNames(registry.current(try reader.names()))
  }

  /// Replays the session.
  package func run() throws(HistoryError) -> ReplayResult {
    let isTimed = !cast.opaque.isEmpty
    let events = try RecordedEvents(
      reader, session: session.id, through: last, isTimed: isTimed, isAhead: true)
    let (account, isWhole) = (ReplayAccount(), last == nil)
    let policies = PolicyReplay(session, names: names, account)
    let window = RecordingWindow(events, cast, telling: policies)
    defer { window.letGo() }
    try ClassReplay(window, session, names: names, account, isWhole: isWhole).run()
    window.finish(session, isWhole: isWhole)
    var result = account.close()
    window.letGo()
    // Policies need no times: they are looked up for the few results that have one.
    if !isTimed {
      try result.lookUpTimes { seq throws(HistoryError) in
        try reader.events(session: session.id, from: seq, through: seq).next()?.time
      }
    }
    return result
  }
}
