package import StatyHistory

/// Replays one session: tells new controllers every recorded input, and compares their outputs with
/// the recorded ones.
///
/// The file is read once, and memory does not grow with it. In this order: ``RecordedEvents`` reads an event,
/// ``RecordingWindow`` tells the ``PolicyReplay`` if it is of a policy, which is a value and answers at once, and
/// keeps it if it is of a class. ``ClassReplay`` drives all that: it runs the classes of the ``Cast`` again,
/// observes them from inside, and takes their events out of the window. Both write what they find into one
/// ``ReplayAccount``, whose end is the ``ReplayResult``.
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
    // Policies need no times: they are looked up for the few results that have one.
    if !isTimed {
      try result.lookUpTimes { seq throws(HistoryError) in
        try reader.events(session: session.id, from: seq, through: seq).next()?.time
      }
    }
    return result
  }
}
