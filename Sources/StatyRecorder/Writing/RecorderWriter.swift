import CStatyRing
import Foundation
import Staty
import StatyHistory
import StatySQLite
import Synchronization

/// Takes events out of the ring and stores them, on a thread of its own.
final class RecorderWriter {
  let core: RecorderCore
  let requests: WriterRequests
  let path: String
  let leftovers: [String]
  let ring: RingWriter
  var writer: HistoryWriter?
  /// Whether the system had failed to sync it when it was let go of.
  var hasFailedToSync = false
  /// Which file that is, as long as its path leads to it.
  var identity: FileIdentity?
  var translator: RingTranslator?
  /// What was noted of names, places and controllers, should a new file have to be begun.
  var introductions: [LogEntry] = []
  /// The highest number that was stored.
  var highestStored: UInt64 = 0
  /// Whether a new file was begun that does not know them.
  var isIntroducing = false
  /// Whether what is too much at the beginning was removed.
  var hasPrunedAtOpening = false
  /// The number up to which every missing one has been recorded as lost.
  var settled: UInt64 = 0
  /// What was counted as lost among those.
  var settledLosses = LossCounts()
  var wallClock: WallClockWatch?
  var pruning: Pruning
  var judging: EndJudging
  /// Whether something was stored since it was last looked whether that is too much.
  var hasStored = true
  var failure: String?
  /// Whether the last look at the ring found it empty.
  var isDrained = true
  /// Whether anything was stored since the last rest.
  var isBusy = false

  private static let batch = 4_096
  // What a killed process leaves of the log is read by the next one before its first answer, at
  // about 300 frames a millisecond.
  private static let framesBeforeCheckpoint = 500
  // While events come faster than that, each copy would be waited for by all that stands in the ring.
  private static let framesUnderPressure = 4_000
  private static let restAtOpening: Duration = .milliseconds(20)
  /// How long opening and closing may spend on pruning.
  static let pruningAtOpening: Duration = .milliseconds(50)
  static let pruningAtClose: Duration = .milliseconds(500)

  init(core: RecorderCore, requests: WriterRequests, path: String, leftovers: [String]) {
    self.core = core
    self.requests = requests
    self.path = path
    self.leftovers = leftovers
    ring = RingWriter(of: core.ring)
    pruning = Pruning(core.options.retention, core.clock)
    judging = EndJudging(core.clock)
  }

  /// Works until it is told to close.
  func run() {
    makeRingReady()
    // An app that opens where it was asks at once, and two that read one schema hinder each other.
    ring.rest(atMost: Self.restAtOpening)
    while let turn = turn() {
      if turn.isSuspended {
        while !requests.isPending { ring.pause(atMost: .seconds(86_400)) }
      } else {
        rest(afterFailure: !turn.isStored)
      }
    }
  }

  /// Without room on the disk the ring stays small, which is tried again later.
  private func makeRingReady() { try? core.ring.makeReady() }

  /// Stores what there is, and does what is wanted, without waiting for anything.
  ///
  /// - Returns: whether all was stored, and whether to stand still now; none once it is closed.
  func turn() -> (isStored: Bool, isSuspended: Bool)? {
    let (wanted, number) = requests.take()
    let isStored = wanted.isClosing ? storeLast() : storeAll()
    if isStored { settle() }
    var refusal: String?
    if requests.isPending { refusal = isStored ? carryOut(wanted) : failure ?? "not stored" }
    if wanted.isClosing {
      // A file that could not be written is left to the next recorder together with the ring. It is closed
      // before the answer, since the app may open it again at once.
      writer = nil
      core.ring.close(removingFile: refusal == nil)
    }
    if wanted.isSuspended { closeFile() }
    requests.answer(number, failure: refusal, isLast: wanted.isClosing)
    if wanted.isClosing { return nil }
    if isStored { prune() }
    return (isStored, wanted.isSuspended)
  }

  /// Waits for work, unless a caller waits for an answer.
  private func rest(afterFailure: Bool) {
    if requests.isPending { return }
    lookAtClock()
    makeRingReady()
    ring.touchAhead()
    if !afterFailure, !isDrained || pruning.isUnderWay { return }
    if afterFailure {
      ring.pause(atMost: .milliseconds(250))
    } else {
      judge()
      let pause = judging.rest
      if pause == .zero { return }
      // While events keep coming the writer looks by itself, so that no thread of the app needs a system call
      // to wake it. It parks when it has found nothing.
      if !isBusy {
        ring.park(atMost: pause)
        lookAtClock()
      }
      if !requests.isPending, isBusy || core.ring.queued > 0 {
        ring.rest(atMost: core.options.gathering)
      }
    }
    isBusy = false
  }

  /// Stores what would be found if the session ended now.
  ///
  /// Recording goes on if that fails.
  private func judge() {
    guard let writer, let translator else { return }
    if judging.rest == .zero, pruning.length > 0, settled == core.numbering.last {
      try? continueSession(writer, translator)
    }
    try? judging.work(writer, self.translator?.session ?? translator.session)
    try? copyLog(of: writer, isUnderPressure: false)
  }

  /// Stores where the wall clock stands, if it has been set.
  private func lookAtClock() {
    let before = wallClock
    // Earlier events are stored first.
    guard failure == nil, let writer, let translator, let anchor = wallClock?.look() else { return }
    do {
      try writer.addAnchor(
        session: translator.session, time: anchor.time, wallTime: anchor.wallTime)
    } catch {
      wallClock = before
      failure = "\(error)"
    }
  }

  func closeFile() {
    guard let writer else { return }
    if let translator, !translator.newAliases.isEmpty,
      (try? writer.store(aliases: translator.newAliases, session: translator.session)) != nil
    {
      self.translator?.settleAliases()
    }
    try? writer.close()
    // They come again with their notes, which were not released.
    if writer.hasUnstoredNumbers { translator?.forgetUnsettledAliases() }
    hasFailedToSync = writer.hasFailedToSync
    self.writer = nil
  }
}

// MARK: Storing

extension RecorderWriter {
  /// Stores everything that is in the ring, and what comes meanwhile.
  ///
  /// While a caller waits for an answer, only what was there at the beginning: producers may be as fast as
  /// the writer.
  ///
  /// - Returns: whether it was done. If not, it is tried again later; meanwhile the ring fills.
  private func storeAll() -> Bool {
    do {
      let writer = try openFile()
      let last = core.numbering.last
      while true {
        let batch = ring.drain(upTo: Self.batch)
        isDrained = batch.isEmpty
        if batch.isEmpty { break }
        try store(batch, writer)
        introductions += batch.entries.filter(Note.isIntroduction)
        highestStored = max(highestStored, batch.highestNumber)
        judging.noteStored()
        hasStored = true
        isBusy = true
        ring.release(batch, keepingNotes: translator?.awaitsRecords ?? false)
        // After they have left the ring: nothing is counted as queued and as stored at once.
        core.stored.wrappingAdd(UInt64(batch.records.count), ordering: .releasing)
        ring.touchAhead()
        // Lanes are taken lowest number first, and what has a higher number than `last` was put after
        // all that had been put by then.
        if requests.isPending, batch.firstNumber ?? .max > last { break }
        // A file may not grow forever because producers are as fast as the writer.
        if pruning.isDue, !requests.isPending { break }
        try copyLog(of: writer, isUnderPressure: batch.records.count == Self.batch)
      }
      failure = nil
      return true
    } catch {
      failure = "\(error)"
      // Only once: on a broken disk every new file would be damaged, too.
      return DamagedHistory.isMeant(by: error) && setAside() ? storeAll() : false
    }
  }

  /// Copies the log into the file, once it is long.
  private func copyLog(of writer: HistoryWriter, isUnderPressure: Bool) throws {
    let frames = writer.framesInLog
    if isUnderPressure {
      if frames > Self.framesUnderPressure { try writer.checkpoint(.passive) }
    } else if frames > 2 * Self.framesBeforeCheckpoint {
      try writer.cutLog()
    } else if frames > Self.framesBeforeCheckpoint {
      try writer.checkpoint(.passive)
    }
  }

  private func store(_ batch: RingBatch, _ writer: HistoryWriter) throws {
    guard var translator else { return }
    // Taken out for the length of the call, so that it is changed in place, and put back however
    // the call ends: what was interned stays so.
    self.translator = nil
    defer { self.translator = translator }
    try translator.takeIn(batch.entries, writer)
    if !translator.newAliases.isEmpty {
      try writer.store(aliases: translator.newAliases, session: translator.session)
      translator.settleAliases()
    }
    guard !batch.records.isEmpty else { return }
    var details: [EventDetail] = []
    let rows = batch.records.map { translator.translate($0, &details) }
    let session = translator.session
    let observed = translator.observed(core.numbering.last)
    do {
      try rows.withUnsafeBufferPointer { rows in
        _ = try writer.append(rows, details: details, to: session, observed: observed)
      }
    } catch {
      // The rows come again, and what was noted of them may not.
      translator.takeBack(details)
      throw error
    }
  }

  /// Ends recording, then stores what was put before, with what threads were about to put.
  private func storeLast() -> Bool {
    core.ring.stop()
    for _ in 0..<100 {
      guard storeAll() else { return false }
      if core.statistics.inFlight == 0 { break }
      usleep(100)
    }
    return true
  }

  /// Removes a slice of what is too much, if it is time to look for it.
  ///
  /// Only while events are stored; an idle recorder removes nothing.
  private func prune() {
    guard let writer, let translator, hasStored || pruning.isUnderWay, pruning.isDue else { return }
    hasStored = false
    do {
      try pruning.step(writer, current: translator.session)
    } catch {
      failure = "\(error)"
    }
    if writer.framesInLog > Self.framesBeforeCheckpoint { _ = try? writer.checkpoint(.passive) }
  }

  /// Prunes until the time is over.
  func prune(
    _ writer: HistoryWriter, _ session: Int64, atMost limit: Duration
  ) throws {
    try pruning.finish(writer, current: session, atMost: limit)
  }

  /// Records what is missing, if nothing is in flight: then every number is stored or lost.
  private func settle() {
    let losses = core.losses
    let statistics = core.statistics
    guard let writer, let translator, statistics.inFlight == 0, statistics.queued == 0,
      statistics.observed > settled, statistics.lost == losses.total
    else { return }
    let new = losses.since(settledLosses)
    do {
      if new.total > 0 {
        try recordMissing(through: statistics.observed, writer, translator, new.reason)
      }
      (settled, settledLosses) = (statistics.observed, losses)
      self.translator?.forgetDetails()
      ring.releaseNotes()
      if pruning.length > 1 { try continueSession(writer, translator) }
    } catch {
      failure = "\(error)"
    }
  }

  func recordMissing(
    through last: UInt64, _ writer: HistoryWriter, _ translator: RingTranslator,
    _ reason: (Int64) -> String
  ) throws {
    // The newest events may be among the lost; then no row has told how far the numbers go.
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: translator.session,
      observed: translator.observed(last))
    try writer.recordMissing(
      from: translator.seq(settled + 1), through: translator.seq(last), reason: reason)
  }
}
