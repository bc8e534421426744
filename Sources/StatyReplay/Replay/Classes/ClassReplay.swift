import Staty
import StatyHistory

/// Runs the classes of a recording again, and compares the tree of recorded calls with the tree of
/// replayed calls.
///
/// Its loop, `goThrough`, also drives a replay without classes: see `Verification`.
///
/// The events of a thread are taken strictly in order. A class makes calls: it tells observers of
/// an event, tells a state to enter or exit, calls out, or ends the handling of an input. At each
/// of them the replay checks whether the thread's next event lies in that call. An input there is
/// told now, and an output there is missing. Whatever a class does by itself has to be the thread's
/// next event, in the call in which the class did it.
///
/// An event in a call of a class that is not run, or no longer, counts as lying in the nearest
/// enclosing call of a class that is.
final class ClassReplay {
  /// An event that a class made in the replay, until it is over.
  private struct Made {
    let number: UInt64
    let controller: Int32
    /// What lies around the event, and around its observation.
    let (inside, hearing): (EventPlace, EventPlace)
    /// The number of the matching recorded event; `nil` if there is none.
    var seq: Int64?
    var isHeard = false
    var isFinished = false
  }

  /// An input that is being told to a controller, which then reports it.
  struct Telling {
    let entry: RecordingWindow.Entry
    var isReported = false
  }

  private let session: SessionRecord
  private let isWhole: Bool
  let numbering = Numbering()
  let runningThread = RunningThread()
  let window: RecordingWindow
  let names: RecordedNames
  let account: ReplayAccount
  // Unchecked, as what follows: all of these are used by one replay, and no access lasts while an
  // app's code runs.
  @exclusivity(unchecked) private var controllers: [Int32: ReplayedClass] = [:]
  /// The controller of the latest look-up.
  @exclusivity(unchecked) private var latest: ReplayedClass?
  /// The inputs that are being told, the innermost last.
  @exclusivity(unchecked) var tellings: [Telling] = []
  /// The inputs that were told since the replay was last at the root, and the inputs that classes
  /// made themselves.
  @exclusivity(unchecked) var told: [RecordingWindow.Entry] = []
  @exclusivity(unchecked) private var ownInputs: [RecordingWindow.Entry] = []
  /// The recorded thread whose events are taken.
  @exclusivity(unchecked) var thread: UInt8 = 0
  /// The place of the replay that stands for the root.
  ///
  /// It is another one while a nested replay takes another thread's events.
  @exclusivity(unchecked) var base = EventPlace.root
  /// In the order of their numbers; the last is not over.
  @exclusivity(unchecked) private var made: [Made] = []
  @exclusivity(unchecked) private var depth = 0
  private var runaways: Set<Int32> = []
  /// The classes that were given up, while calls of them may be under way.
  var ended: [ReplayedClass] = []
  @exclusivity(unchecked) private var effort = Effort()

  init(
    _ window: RecordingWindow, _ session: SessionRecord, names: RecordedNames,
    _ account: ReplayAccount, isWhole: Bool
  ) {
    (self.window, self.session, self.names) = (window, session, names)
    (self.account, self.isWhole) = (account, isWhole)
  }

  /// Goes through the session.
  func run() throws(HistoryError) {
    // The replayed models may have tracks, and the app's recorder may be running.
    try TrackDoor.shut { () throws(HistoryError) in try goThrough() }
  }

  private func goThrough() throws(HistoryError) {
    defer {
      for id in controllers.keys { end(id) }
      letGoOfEnded()
    }
    repeat {
      while let entry = window.next() { step(entry) }
    } while stopAtLoss()
    if let failure = window.failure { throw failure }
    if let doubt = runningThread.doubt, let id = doubt.controller, controller(id) != nil {
      account.result.add(doubt)
    }
  }

  /// Takes the next event of the recording at the root.
  private func step(_ entry: RecordingWindow.Entry) {
    made.removeAll(keepingCapacity: true)
    told.removeAll(keepingCapacity: true)
    ownInputs.removeAll(keepingCapacity: true)
    depth = 0
    thread = entry.thread
    letGoOfEnded()
    effort.begin()
    if goPast(entry) || endsCaller(of: entry) { return }
    let place = place(of: entry)
    if place == .root { take(entry, at: .root) } else { leaveOut(entry, in: place) }
  }

  private func letGoOfEnded() {
    for controller in ended { controller.letGo() }
    ended = []
  }

  /// Stops running all classes: each was being recorded, so each may have lost events.
  private func stopAtLoss() -> Bool {
    guard window.passLoss() else { return false }
    for id in controllers.keys { end(id) }
    return true
  }
}

// MARK: The cast

extension ClassReplay {
  /// The controller with this number, while it is run.
  func controller(_ id: Int32) -> ReplayedClass? {
    if let latest, latest.id == id { return latest }
    latest = controllers[id]
    return latest
  }

  /// Whether a controller is still run.
  func isRun(_ controller: ReplayedClass) -> Bool {
    self.controller(controller.id) === controller
  }

  private func begin(_ entry: RecordingWindow.Entry) {
    let id = entry.controller
    guard let part = window.cast.parts[id], case .opaque(let factory) = part.entry else { return }
    do {
      guard let snapshot = SnapshotRecord(part.record.snapshot) else {
        throw ReplayDoubt.lateAttachment(controller: id)
      }
      controllers[id] = try ReplayedClass(part, factory, snapshot, in: self)
    } catch {
      account.result.add(.notMade(id, error))
    }
  }

  /// Stops running a controller: what it does from now on is ignored.
  func end(_ id: Int32) {
    guard let controller = controllers.removeValue(forKey: id) else { return }
    latest = nil
    controller.hearNoMore()
    ended.append(controller)
  }
}

// MARK: Places

extension ClassReplay {
  /// The innermost recorded call that the replay is in, of a class that is still run.
  func place(_ place: EventPlace) -> RecordedPlace {
    var place = place
    while place != base, let index = index(of: place.event) {
      let one = made[index]
      if let seq = one.seq, controller(one.controller)?.isPlaced ?? false {
        return RecordedPlace(seq: seq, part: place.part)
      }
      place = place.part == .observed ? one.hearing : one.inside
    }
    return .root
  }

  /// The innermost call around a recorded event, of a class that is still run.
  func place(of entry: RecordingWindow.Entry) -> RecordedPlace { caller(of: entry)?.place ?? .root }

  private func caller(of entry: RecordingWindow.Entry) -> ClassPlace? {
    var call = entry.around
    while let one = call, !isRun(one) { call = one.outer }
    return call
  }

  /// All calls around a recorded event, of classes that are still run, the innermost first.
  func callers(of entry: RecordingWindow.Entry) -> [ClassPlace] {
    var all: [ClassPlace] = []
    var call = entry.around
    while let one = call {
      if isRun(one) { all.append(one) }
      call = one.outer
    }
    return all
  }

  /// A call that the recording does not hold counts, too: nothing in the replay matches it.
  private func isRun(_ call: ClassPlace) -> Bool {
    call.controller < 0 || controller(call.controller) != nil
  }

  /// The next event of the thread, if it lies in this call.
  func next(in place: RecordedPlace) -> RecordingWindow.Entry? {
    while let entry = window.next(onThread: thread) {
      if goPast(entry) { continue }
      if self.place(of: entry) == place { return entry }
      if !endsCaller(of: entry) { return nil }
    }
    return nil
  }

  /// The next event of a controller, in whatever call.
  func next(of controller: ReplayedClass) -> RecordingWindow.Entry? {
    window.next(of: controller.id, from: &controller.searched)
  }

  /// Stops running a class that has diverged, if an event lies in a call that it did not make, or if
  /// it is another controller's.
  ///
  /// - Returns: whether it was stopped.
  private func endsCaller(of entry: RecordingWindow.Entry) -> Bool {
    guard let call = caller(of: entry), controller(call.controller)?.stride == .outOfStep else {
      return false
    }
    let isUnderWay = made.contains {
      $0.seq == call.place.seq && !(call.place.part == .observed ? $0.isHeard : $0.isFinished)
    }
    if isUnderWay, entry.controller == call.controller { return false }
    end(call.controller)
    return true
  }

  /// Skips an event that is neither told nor compared.
  private func goPast(_ entry: RecordingWindow.Entry) -> Bool {
    switch entry.kind {
    case .attached: begin(entry)
    case .detached: end(entry.controller)
    default: if controller(entry.controller) != nil { return false }
    }
    window.take(entry)
    return true
  }

  func pass(_ entry: RecordingWindow.Entry) {
    controller(entry.controller)?.isAlone = entry.isAlone
    window.take(entry)
    effort.begin()
  }

  /// Whether a call of a controller is under way in the replay.
  func isUnderWay(_ id: Int32) -> Bool {
    made.contains { $0.controller == id && !$0.isFinished }
  }
}

// MARK: What classes do

extension ClassReplay {
  /// A class reports an event, and its handling follows.
  ///
  /// - Returns: whether it may go on.
  func made(_ event: TransitionEvent, _ id: Int32, about object: AnyObject?) -> Bool {
    depth += 1
    guard let controller = controller(id) else { return !runsAway(id) }
    if !controller.context.probe.events.isInDelivery { controller.delivery = event.inside }
    let place = place(event.inside)
    let output = Output(event, cause: place.seq)
    account.digest.add(output)
    if let state = event.state { account.digest.add(state.description) }
    made.append(
      Made(
        number: event.number, controller: id, inside: event.inside, hearing: controller.delivery))
    let entry = match(event, output, place, controller)
    if let index = index(of: event.number) { made[index].seq = entry?.seq }
    if let entry, entry.kind == .enqueued {
      controller.states.note(
        .enqueued, entry.event.row.visit, about: object, instance: entry.event.instance)
    }
    return !runsAway(id)
  }

  /// Whether a class runs without end, though the recording does not; also one that is no longer
  /// followed.
  private func runsAway(_ id: Int32) -> Bool {
    guard effort.isTooMuch(depth: depth) else { return false }
    if runaways.insert(id).inserted {
      account.result.add(
        .runaway(controller: id, seq: tellings.last?.entry.seq ?? window.nesting.highest))
    }
    end(id)
    return true
  }

  /// Observers are told of an event that a class made.
  func heard(_ number: UInt64) {
    guard let index = index(of: number) else { return }
    if let seq = made[index].seq, controller(made[index].controller) != nil {
      let place = RecordedPlace(seq: seq, part: .observed)
      while let entry = next(in: place) { take(entry, at: place) }
    }
    close(number) { $0.isHeard = true }
  }

  /// The handling of an event by its class has ended.
  func finished(_ event: TransitionEvent) {
    depth -= 1
    guard let index = index(of: event.number) else { return }
    let one = made[index]
    if let seq = one.seq, controller(one.controller) != nil {
      let part: EventPlace.Part =
        switch event.kind {
        case .entering, .exiting: .performed
        case .calling: .called
        default: .handled
        }
      let place = RecordedPlace(seq: seq, part: part)
      while let entry = next(in: place) { takeLast(entry, at: place, one.controller) }
    }
    close(event.number) { $0.isFinished = true }
  }

  /// Changes what is known of an event, and forgets the last events that are over.
  private func close(_ number: UInt64, _ change: (inout Made) -> Void) {
    if let index = index(of: number) { change(&made[index]) }
    while let last = made.last, last.isHeard, last.isFinished { made.removeLast() }
  }

  private func index(of number: UInt64) -> Int? {
    var (low, high) = (0, made.count)
    if let last = made.last, last.number == number { return high - 1 }
    while low < high {
      let middle = (low + high) / 2
      if made[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < made.count && made[low].number == number ? low : nil
  }

  /// The recorded event that matches an event of a class.
  private func match(
    _ event: TransitionEvent, _ output: Output, _ place: RecordedPlace,
    _ controller: ReplayedClass
  ) -> RecordingWindow.Entry? {
    if let telling = tellings.last, telling.entry.controller == controller.id,
      !telling.isReported, event.kind.side == .input
    {
      tellings[tellings.count - 1].isReported = true
      compareTold(event, output, telling.entry, controller)
      return telling.entry
    }
    while place.part == .handled, let entry = next(in: place), entry.controller != controller.id,
      isInput(entry)
    {
      tellOther(entry)
    }
    let found = controller.isPlaced ? next(in: place) : next(of: controller)
    guard isRun(controller) else { return nil }
    guard let found, found.controller == controller.id, isSame(found, event, output) else {
      return part(event, output, place, found, controller)
    }
    if controller.isPlaced, next(of: controller)?.seq != found.seq {
      giveUp(controller, .overlappingHandling(controller: controller.id, seq: found.seq))
      return nil
    }
    if isInput(found) { Self.remember(found, &ownInputs) }
    pass(found)
    // The class asked for another object than was recorded: something that it called may have asked.
    if controller.isPlaced, found.kind == .enqueued, let instance = event.instance?.rawValue,
      instance != found.event.instance
    {
      giveUp(
        controller, .unbracketed(controller: controller.id, seq: found.seq, .call(in: place.seq)))
      return nil
    }
    if let suspicion = controller.suspicion {
      controller.suspicion = nil
      // Anything may make a request for the same.
      if found.kind == .entered || found.kind == .exited {
        diverge(suspicion, found, controller)
      } else {
        let why = ReplayDoubt.Unbracketed.call(in: place.seq)
        giveUp(controller, .unbracketed(controller: controller.id, seq: found.seq, why))
      }
      guard isRun(controller) else { return nil }
    }
    count(found, controller)
    return found
  }

  /// Of the events in one call from outside, only the latest are checked again.
  static func remember(_ entry: RecordingWindow.Entry, _ latest: inout [RecordingWindow.Entry]) {
    if latest.count == 1_024 { latest.removeFirst(512) }
    latest.append(entry)
  }

  func count(_ entry: RecordingWindow.Entry, _ controller: ReplayedClass) {
    if controller.isOutput(entry.kind) {
      account.result.matched += 1
    } else {
      account.result.told += 1
    }
  }

  private func isSame(
    _ entry: RecordingWindow.Entry, _ event: TransitionEvent, _ output: Output
  ) -> Bool {
    recorded(entry, asFarAsIn: output) == output && names[entry.event.row.state] == event.state
  }

  /// The recorded event, as a report shows it.
  func recorded(_ entry: RecordingWindow.Entry) -> Output {
    var output = Output(reportedIn: entry.event, entry.kind, names)
    output.cause = place(of: entry).seq
    return output
  }

  /// The same, with everything that is not known filled in from the report.
  private func recorded(_ entry: RecordingWindow.Entry, asFarAsIn output: Output) -> Output {
    var recorded = recorded(entry).completed(by: output)
    recorded.cause = output.cause
    return recorded
  }

  func isInput(_ entry: RecordingWindow.Entry) -> Bool { entry.kind.side == .input }
}

// MARK: Where both part

extension ClassReplay {
  /// Compares what a controller reports of an input with what was recorded.
  private func compareTold(
    _ event: TransitionEvent, _ output: Output, _ entry: RecordingWindow.Entry,
    _ controller: ReplayedClass
  ) {
    if case .step(let number) = event.detail, let step = entry.event.detail?.step, step != 0,
      step != number
    {
      // The class runs its deferred steps in another order than it deferred them.
      return giveUp(
        controller, .unbracketed(controller: controller.id, seq: entry.seq, .unreported))
    }
    if isSame(entry, event, output) { return }
    let (expected, output) = named(recorded(entry, asFarAsIn: output), output, entry, event)
    let isStray =
      expected.visit == output.visit && (expected.kind == .stray) != (output.kind == .stray)
    diverge(
      .init(kind: isStray ? .stray : .different, recorded: expected, replayed: output), entry,
      controller)
  }

  /// Handles an event that the recording does not have next in that call.
  ///
  /// - Parameter expected: the event that it has next there.
  /// - Returns: the recorded event that matches in another call.
  private func part(
    _ event: TransitionEvent, _ output: Output, _ place: RecordedPlace,
    _ expected: RecordingWindow.Entry?, _ controller: ReplayedClass
  ) -> RecordingWindow.Entry? {
    if let guess = unbracketed(event, place, expected, controller) {
      if case .call = guess.why {
        // If the class still makes the expected event by itself, this one was extra.
        controller.suspicion = controller.suspicion ?? .extra(output)
      } else {
        giveUp(controller, .unbracketed(controller: controller.id, seq: guess.seq, guess.why))
      }
      return nil
    }
    guard let next = next(of: controller) else {
      goBeyond(output, place, controller)
      return nil
    }
    let recorded = recorded(next).completed(by: output)
    guard recorded.kind == output.kind, recorded.visit == output.visit else {
      let difference = difference(recorded, output, place, next, controller)
      diverge(difference, next, controller)
      if difference.kind == .different { pass(next) }
      return nil
    }
    let (before, now) = named(recorded, output, next, event)
    let difference =
      now.name == nil
      ? Divergence.Difference(recorded: before, replayed: now)
      : .different(recorded: before, replayed: now)
    diverge(difference, next, controller)
    if !isRun(controller) { return nil }
    pass(next)
    return next
  }

  /// Both with the names of their states or messages, if they differ in that.
  private func named(
    _ recorded: Output, _ replayed: Output, _ entry: RecordingWindow.Entry, _ event: TransitionEvent
  ) -> (Output, Output) {
    let name = names[entry.event.row.state]
    if name == event.state { return (recorded, replayed) }
    var (before, now) = (recorded, replayed)
    (before.name, now.name) = (name ?? "", event.state ?? "")
    return (before, now)
  }

  /// The event that shows a missing bracket, or one that holds too much: behind it, the events of
  /// the class prove nothing.
  private func unbracketed(
    _ event: TransitionEvent, _ place: RecordedPlace, _ expected: RecordingWindow.Entry?,
    _ controller: ReplayedClass
  ) -> (seq: Int64, why: ReplayDoubt.Unbracketed)? {
    let own = expected.flatMap { entry in
      let isOwn = entry.controller == controller.id && isInput(entry) && entry.kind != .deadline
      return isOwn ? entry : nil
    }
    let awaited = own?.seq
    if !controller.isPlaced {
      // No state enters before it was told to.
      if own?.kind == .entered, event.kind == .entering,
        own?.event.row.visit == event.visit?.rawValue
      {
        return nil
      }
      return awaited.map { ($0, .controller) }
    }
    if place.part == .handled { return awaited.map { ($0, .call(in: place.seq)) } }
    guard event.kind.side == .input, place != .root else { return nil }
    if let awaited { return (awaited, .tooWide(in: place.seq)) }
    let alike = told.last {
      self.place(of: $0) == place && $0.controller == controller.id
        && isAlike($0, event.kind)
    }
    return alike.map { ($0.seq, .tooWide(in: place.seq)) }
  }

  /// The difference between the next recorded event and the replayed one.
  private func difference(
    _ recorded: Output, _ output: Output, _ place: RecordedPlace, _ next: RecordingWindow.Entry,
    _ controller: ReplayedClass
  ) -> Divergence.Difference {
    let isThere = { [self] in !controller.isPlaced || self.place(of: $0) == place }
    let later = window.ahead {
      $0.controller == controller.id && $0.kind == output.kind
        && $0.event.row.visit == output.visit.rawValue && isThere($0)
    }
    if !later.isEmpty { return .reordered(recorded: recorded, replayed: output) }
    let isInstead = controller.isOutput(recorded.kind) && isThere(next)
    return isInstead ? .different(recorded: recorded, replayed: output) : .extra(output)
  }

  /// Handles an event after the last recorded one of a class.
  ///
  /// If the session was killed or is read up to an event only, the class may have been about to
  /// make it. It was not if the call in which it made the event had ended by then.
  private func goBeyond(
    _ output: Output, _ place: RecordedPlace, _ controller: ReplayedClass
  ) {
    let isCut = window.isAtEnd && !(isWhole && session.ended == .clean)
    if window.isAtLoss || isCut && window.nesting.mayGoOn(in: place, onThread: thread) {
      return end(controller.id)
    }
    diverge(.extra(output), nil, controller)
  }

  /// Notes a recorded event that did not happen where it should have.
  func miss(_ entry: RecordingWindow.Entry, _ controller: ReplayedClass) {
    pass(entry)
    diverge(.missing(recorded(entry)), entry, controller)
  }

  /// Notes that a class did something else.
  ///
  /// Later differences may follow from that.
  ///
  /// - Parameter entry: the recorded event at which that was noticed; `nil` after the last.
  func diverge(
    _ difference: Divergence.Difference, _ entry: RecordingWindow.Entry?,
    _ controller: ReplayedClass
  ) {
    let seq = entry?.seq ?? session.lastSeq ?? 0
    account.digest.add(difference)
    let isConsequence = controller.stride == .outOfStep
    if !isConsequence {
      if let doubt = excuse(controller, at: entry, seq) { return giveUp(controller, doubt) }
      guard controller.stride.lose(difference) else { return }
    }
    let divergence = Divergence(
      difference: difference, controller: controller.id, seq: seq,
      time: entry?.event.row.time ?? session.lastTime, standing: controller.standing,
      matchedBefore: account.result.matched)
    account.result.add(divergence, isConsequence: isConsequence)
    // What other classes do in its calls could not be told from what they should do.
    if controller.stride == .outOfStep, controllers.count > 1 { end(controller.id) }
  }

  /// The reason why an unchanged class may behave differently.
  ///
  /// Two threads may have been in it at once, it deferred steps without its probe, it asked other code,
  /// it did something before it was recorded, or the recording does not distinguish two of its own inputs.
  private func excuse(
    _ controller: ReplayedClass, at entry: RecordingWindow.Entry?, _ seq: Int64
  ) -> ReplayDoubt? {
    guard controller.isPlaced else { return nil }
    let id = controller.id
    if let doubt = runningThread.doubt, doubt.controller == id { return doubt }
    if controller.holdsWeakly { return .heldWeakly(controller: id) }
    if controller.context.scheduler.hasUntold {
      return .unbracketed(controller: id, seq: seq, .unreported)
    }
    if mayOverlap(controller, at: entry) {
      return .overlappingHandling(controller: id, seq: next(of: controller)?.seq ?? seq)
    }
    if controller.context.probe.hasAsked { return .unrecordedAnswer(controller: id) }
    // It may remember something from before.
    if controller.beganLate { return .lateAttachment(controller: id) }
    for own in ownInputs where own.controller == id {
      let around = place(of: own)
      let alike = window.ahead {
        $0.controller == id && isAlike($0, own.kind)
          && $0.event.row.state == own.event.row.state && isHandled($0, in: around)
      }
      if let alike = alike.first {
        return .unbracketed(controller: id, seq: alike.seq, .call(in: place(of: alike).seq))
      }
    }
    return nil
  }

  /// Whether an event lies in the handling of an input, or in that of an input made there: who is called without
  /// a bracket may ask in all of them.
  private func isHandled(_ entry: RecordingWindow.Entry, in place: RecordedPlace) -> Bool {
    let handlings = callers(of: entry).prefix { $0.place.part == .handled }
    return handlings.contains { $0.place == place }
  }

  /// Whether another thread may have been in a call of a class when it made this event, or did
  /// something else in its place.
  private func mayOverlap(
    _ controller: ReplayedClass, at entry: RecordingWindow.Entry?
  ) -> Bool {
    window.lookAhead()
    if window.nesting.crossed.contains(controller.id) { return true }
    if controller.context.isConfined { return false }
    return !controller.isAlone || entry.map { !$0.isAlone } ?? false
  }

  /// Whether an input equals one of this kind except for its visit: of two completions one is
  /// stray.
  private func isAlike(_ entry: RecordingWindow.Entry, _ kind: EventKind) -> Bool {
    let completions: [EventKind] = [.entered, .exited]
    return entry.kind == kind || entry.kind == .stray && completions.contains(kind)
      || kind == .stray && completions.contains(entry.kind)
  }

  /// Stops running a class, without a verdict on the rest.
  func giveUp(_ controller: ReplayedClass, _ doubt: ReplayDoubt) {
    // Behind a divergence, nothing is open.
    if controller.stride != .outOfStep { account.result.add(doubt) }
    end(controller.id)
  }

  func isTooManySteps() -> Bool { effort.isTooManySteps() }
}

/// How many reports and steps happened since the recording last advanced.
private struct Effort {
  /// The limits of reports and steps while the recording does not advance, and of nested reports.
  private static let most = (reports: 10_000, steps: 100_000, depth: 1_000)
  private var reports = 0
  private var steps = 0

  /// The recording advanced.
  mutating func begin() { (reports, steps) = (0, 0) }

  mutating func isTooMuch(depth: Int) -> Bool {
    reports += 1
    return reports > Self.most.reports || depth > Self.most.depth
  }

  /// A controller that polls may run many deferred steps.
  mutating func isTooManySteps() -> Bool {
    steps += 1
    return steps > Self.most.steps
  }
}
