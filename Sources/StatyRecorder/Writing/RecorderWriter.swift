import Foundation
import Staty
import StatyHistory
import StatySQLite
import Synchronization

/// Takes events out of the ring and stores them, on a thread of its own.
final class RecorderWriter {
  private let core: RecorderCore
  private let requests: WriterRequests
  private let path: String
  private let leftovers: [String]
  private let ring: RingWriter
  private var writer: HistoryWriter?
  /// Which file that is, as long as its path leads to it.
  private var identity: FileIdentity?
  private var translator: RingTranslator?
  /// The number up to which every missing one has been recorded as lost.
  private var settled: UInt64 = 0
  /// What was counted as lost among those.
  private var settledLosses = LossCounts()
  private var wallClock: WallClockWatch?
  private var pruning: Pruning
  private var checking: Checking
  /// Whether something was stored since it was last looked whether that is too much.
  private var hasStored = true
  private var failure: String?
  /// Whether the last look at the ring found it empty.
  private var isDrained = true
  /// Whether anything was stored since the last rest.
  private var isBusy = false

  private static let batch = 4_096
  // What a killed process leaves of the log is read by the next one before its first answer, at
  // about 300 frames a millisecond.
  private static let framesBeforeCheckpoint = 500
  // While events come faster than that, each copy would be waited for by all that stands in the ring.
  private static let framesUnderPressure = 4_000
  private static let restAtOpening: Duration = .milliseconds(20)
  /// How long opening and closing may take beyond what is to be stored.
  private static let pruningAtOpening: Duration = .milliseconds(50)
  private static let pruningAtClose: Duration = .milliseconds(500)
  private static let checkingAtClose: Duration = .milliseconds(500)

  init(core: RecorderCore, requests: WriterRequests, path: String, leftovers: [String]) {
    self.core = core
    self.requests = requests
    self.path = path
    self.leftovers = leftovers
    ring = RingWriter(of: core.ring)
    pruning = Pruning(core.options.retention, core.clock)
    checking = Checking(core.clock)
  }

  /// Works until it is told to close.
  func run() {
    // An app that opens where it was asks at once, and two that read one schema hinder each other.
    ring.rest(atMost: Self.restAtOpening)
    while true {
      let (wanted, number) = requests.take()
      let isStored = wanted.isClosing ? storeLast() : storeAll()
      if isStored { settle() }
      var refusal: String?
      if requests.isPending { refusal = isStored ? carryOut(wanted) : failure ?? "not stored" }
      if wanted.isClosing {
        // A file that could not be written is left to the next recorder together with the ring.
        core.ring.close(removingFile: refusal == nil)
      }
      if wanted.isSuspended { closeFile() }
      requests.answer(number, failure: refusal, isLast: wanted.isClosing)
      if wanted.isClosing { return }
      if isStored { prune() }
      if wanted.isSuspended {
        while !requests.isPending { ring.rest(atMost: .seconds(86_400)) }
      } else {
        rest(afterFailure: !isStored)
      }
    }
  }

  /// Waits for work: not at all while somebody waits for an answer.
  private func rest(afterFailure: Bool) {
    if requests.isPending { return }
    lookAtClock()
    ring.touchAhead()
    if !afterFailure, !isDrained || pruning.isUnderWay { return }
    if afterFailure {
      ring.rest(atMost: .milliseconds(250))
    } else {
      check()
      let pause = checking.rest
      if pause == .zero { return }
      // While events keep coming nobody has to wake the writer, which would cost the app's thread
      // a system call: it looks by itself, and parks once it has looked in vain.
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

  /// Holds a slice of what was stored against the rules.
  ///
  /// Recording goes on if that fails.
  private func check() {
    guard let writer else { return }
    try? checking.work(writer)
    try? copyLog(of: writer, isUnderPressure: false)
  }

  /// Stores where the wall clock stands, if it has been set.
  private func lookAtClock() {
    let before = wallClock
    guard let writer, let translator, let anchor = wallClock?.look() else { return }
    do {
      try writer.addAnchor(
        session: translator.session, time: anchor.time, wallTime: anchor.wallTime)
    } catch {
      wallClock = before
      failure = "\(error)"
    }
  }

  private func closeFile() {
    try? writer?.close()
    writer = nil
  }
}

// MARK: Storing

extension RecorderWriter {
  /// Stores everything that stands in the ring, and what comes meanwhile.
  ///
  /// While somebody waits for an answer, only what stood there at the beginning: producers may be
  /// as fast as the writer.
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
        checking.noteStored()
        hasStored = true
        isBusy = true
        ring.release(batch)
        // After they have left the ring: nothing is counted as queued and as stored at once.
        core.stored.wrappingAdd(UInt64(batch.records.count), ordering: .releasing)
        ring.touchAhead()
        // Lanes are taken lowest number first, and what has a higher number than `last` was put after
        // all that had been put by then.
        if requests.isPending, batch.firstNumber ?? .max > last { break }
        // Nor may a file grow for ever because producers are as fast.
        if pruning.isDue, !requests.isPending { break }
        try copyLog(of: writer, isUnderPressure: batch.records.count == Self.batch)
      }
      failure = nil
      return true
    } catch {
      failure = "\(error)"
      return false
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
    let observed = Int64(core.numbering.last)
    try rows.withUnsafeBufferPointer { rows in
      _ = try writer.append(rows, details: details, to: session, observed: observed)
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
      try pruning.step(writer, current: translator.session) { first, last in
        try settle(first, last, writer)
      }
    } catch {
      failure = "\(error)"
    }
    if writer.framesInLog > Self.framesBeforeCheckpoint { _ = try? writer.checkpoint(.passive) }
  }

  /// Removes what is too much, as far as there is time.
  private func prune(
    _ writer: HistoryWriter, _ session: Int64, atMost limit: Duration
  ) throws {
    try pruning.finish(writer, current: session, atMost: limit) { first, last in
      try settle(first, last, writer)
    }
  }

  /// Says of what is missing between two numbers that it is lost: it is to be cut off.
  private func settle(_ first: Int64, _ last: Int64, _ writer: HistoryWriter) throws {
    let losses = core.losses.since(settledLosses)
    try writer.recordMissing(from: first, through: last, reason: losses.reason)
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
    } catch {
      failure = "\(error)"
    }
  }

  private func recordMissing(
    through last: UInt64, _ writer: HistoryWriter, _ translator: RingTranslator,
    _ reason: (Int64) -> String
  ) throws {
    // The newest events may be among the lost; then no row has told how far the numbers go.
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: translator.session, observed: Int64(last))
    try writer.recordMissing(
      from: translator.base + Int64(settled) + 1, through: translator.base + Int64(last),
      reason: reason)
  }
}

// MARK: The file

extension RecorderWriter {
  /// The open file with the session begun; opens it if it is not.
  private func openFile() throws -> HistoryWriter {
    if let writer { return writer }
    var settings = WritingSettings()
    settings.isExclusive = core.options.isExclusive
    let writer = try HistoryWriter(path: path, settings: settings)
    if let translator {
      try writer.resume(session: translator.session)
    } else {
      try recoverLeftovers(writer)
      let translator = try beginSession(writer)
      try prune(writer, translator.session, atMost: Self.pruningAtOpening)
      let mark = core.ring.session
      wallClock = WallClockWatch(
        core.clock, began: mark.beganNanoseconds, wall: Int64(mark.wallMicroseconds))
      self.translator = translator
    }
    FileProtection.protect(history: path)
    identity = FileIdentity(at: path)
    self.writer = writer
    return writer
  }

  private func recoverLeftovers(_ writer: HistoryWriter) throws {
    let recovery = SessionRecovery(writer: writer, options: core.options)
    // One that is no ring, or a newer one, is left where it is.
    let rings = leftovers.compactMap { path in
      Self.leftover(at: path).map { (path: path, ring: $0) }
    }
    for (path, ring) in try recovery.inOrder(rings) where try recovery.recover(ring) {
      try ring.remove(at: path)
      try recovery.forget(ring)
    }
    try recovery.closeOthers()
  }

  /// What a dead process left there.
  ///
  /// Its lock may still be held for a moment by whoever moved it aside. To pass it over then would
  /// close its session without its events.
  private static func leftover(at path: String) -> RecoveredRing? {
    for _ in 0..<100 {
      do throws(RingError) {
        return try FlightRing.recover(path: path)
      } catch {
        guard case .inUse = error else { return nil }
        usleep(10_000)
      }
    }
    return nil
  }

  private func beginSession(_ writer: HistoryWriter) throws -> RingTranslator {
    let mark = core.ring.session
    let id = try writer.beginSession(
      SessionOpening(
        uuid: mark.uuid, app: core.options.app, appVersion: core.options.appVersion,
        os: ProcessMark.system, pid: ProcessInfo.processInfo.processIdentifier,
        wallTime: Int64(mark.wallMicroseconds)))
    let first = try writer.sessions().first { $0.id == id }?.firstSeq ?? 1
    return RingTranslator(session: id, firstSeq: first, began: mark.beganNanoseconds)
  }
}

// MARK: Requests

extension RecorderWriter {
  /// Does what is wanted besides writing.
  ///
  /// - Returns: why it could not be done, or `nil`.
  private func carryOut(_ wanted: WriterRequests.Wanted) -> String? {
    guard let writer else { return failure ?? "the file is not open" }
    // Written to it can be still, as nobody else can read what is written.
    if wanted.level != nil, FileIdentity(at: path) != identity {
      return "the file was removed or replaced while it was recorded into; open a new recorder"
    }
    do {
      if wanted.level == .durable { try writer.sync() }
      for lookup in wanted.lookups { lookup.look(through: writer) }
      for copy in wanted.copies { copy.make(with: writer) }
      if wanted.isClosing { try finish(writer) }
      return nil
    } catch {
      failure = "\(error)"
      return failure
    }
  }

  private func finish(_ writer: HistoryWriter) throws {
    if let translator {
      // Whatever is missing now will not come any more.
      let last = core.numbering.last
      if last > settled {
        let losses = core.losses.since(settledLosses)
        try recordMissing(through: last, writer, translator, losses.reason)
      }
      try writer.forgetAliases(session: translator.session)
      try writer.endSession(translator.session, .clean)
    }
    // What is stored is safe whatever comes of this.
    if let translator {
      try? prune(writer, translator.session, atMost: Self.pruningAtClose)
    }
    try? checking.finish(writer, atMost: Self.checkingAtClose)
    try writer.close()
    self.writer = nil
  }
}
