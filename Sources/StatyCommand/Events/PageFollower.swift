import LibC
import StatyHistory
import StatyReport

/// Keeps a page up to date while a history is recorded.
///
/// The page reads a script next to it again and again, because a page that was opened from a disk may
/// read nothing else. The script has what is new since the page was written; if that is much, the
/// page is written anew, so that neither the script nor a page that is opened later gets slow.
struct PageFollower {
  private let arguments: ParsedArguments
  private let run: ToolRun
  private let write: WritePage
  private let page: String
  private let script: String

  /// Writes the whole page of a history as it is now.
  typealias WritePage = (OpenHistory, HistoryReader, ReportPage.Live, Delivery) throws -> Void

  /// The session that is followed: the newest one.
  private var uuid = ""
  /// When the page was written, and how many events of the session the script leaves out.
  private var base: (made: Int64, count: Int64) = (0, 0)
  private var end: PageEnd?
  private var (tick, version) = (0, 0)
  private var growth = ""

  /// The pause between two looks at the file, in milliseconds.
  private static let pause: Int32 = 500
  /// After so many looks the page is told that it is still followed.
  private static let mostSilent = 4
  /// How many events the script has before the page is written anew.
  private static let mostGrowth: Int64 = 20_000

  /// - Parameter write: writes the page.
  init(_ arguments: ParsedArguments, _ run: ToolRun, write: @escaping WritePage) throws {
    guard let page = arguments.output.path else {
      throw Failure(
        status: .usage, message: "'--follow' replaces a page again and again, and needs its name.",
        advice: "Add '-o live.html'.")
    }
    let stem = page.hasSuffix(".html") ? String(page.dropLast(5)) : page
    (self.arguments, self.run, self.write, self.page) = (arguments, run, write, page)
    script = stem + ".js"
    let choice = OutputChoice(path: script, of: arguments)
    try arguments.output.checkInputs()
    try choice.checkInputs()
    try choice.check(apartFrom: arguments.output)
    for path in [page, script] where WholeFile.isThere(path) && !arguments.has("force") {
      throw Failure.occupied(path)
    }
  }

  /// Writes the page, and what is new, until the user ends it.
  ///
  /// - Parameter opened: called when the page is written for the first time.
  mutating func follow(opened: () -> Void) throws {
    var file = FileWatch(arguments.path, mostFailures: 9)
    try look { try $0.begin($1, $2, note: nil) }
    opened()
    run.note("Note: '\(page.visible)' shows what is recorded from now on; Ctrl-C ends this.")
    var (silent, pause) = (0, Self.pause)
    while let mayHaveChanged = file.rest(milliseconds: pause) {
      silent += 1
      if !mayHaveChanged {
        if silent >= Self.mostSilent {
          try tell(nil)
          silent = 0
        }
        continue
      }
      silent = 0
      let began = ContinuousClock.now
      do {
        try look { try $0.goOn($1, $2) }
        file.note(hasFailed: false)
      } catch let failure as Failure {
        if file.note(hasFailed: true) { continue }
        try tell("\(failure.message.visible) This page is not updated any more.", isOver: true)
        throw failure
      }
      // At most half of the time, so that the app is not slowed down.
      let took = (ContinuousClock.now - began) / .milliseconds(1)
      pause = max(Self.pause, Int32(min(took, 10_000)))
    }
    try tell("The command that kept this page up to date has ended.", isOver: true)
  }

  /// Does something with the file as it is now.
  private mutating func look(
    _ body: (inout Self, OpenHistory, HistoryReader) throws -> Void
  ) throws {
    // Nothing stays open: see ``HistoryWatch``.
    let history = try OpenHistory(arguments.path)
    try history.doing("Following") { try body(&self, history, $0) }
    try history.reader.close()
  }

  /// Writes the page anew.
  ///
  /// - Parameter note: what the page says of it.
  private mutating func begin(
    _ history: OpenHistory, _ reader: HistoryReader, note: String?
  ) throws {
    let live = ReportPage.Live(
      script: script.lastComponent, base: max(base.made + 1, RecorderTime.wallMicroseconds),
      note: note)
    let delivery = try Delivery(
      OutputChoice(path: page, of: arguments, isForced: arguments.has("force") || tick > 0),
      run.console)
    try write(history, reader, live, delivery)
    try delivery.finish()
    let record = try newest(history)
    uuid = record?.uuid ?? ""
    // Half of it again, for a page that was open before and has not read the last script.
    let known = max(0, (record?.stored ?? 0) - Self.mostGrowth / 2)
    base = (live.base, known)
    // Where the page ends is known from the beginning, so that an event that is stored late is noticed.
    let new = try record.flatMap { try growth(of: $0, reader, after: nil) }
    (growth, end) = (new?.json ?? "", new?.end)
    version += 1
    try tell(nil)
  }

  private mutating func goOn(_ history: OpenHistory, _ reader: HistoryReader) throws {
    let record = try newest(history)
    guard let record, record.uuid == uuid else {
      let isReplaced = try uuid != "" && !reader.sessions().contains { $0.uuid == uuid }
      if isReplaced {
        run.note("Note: '\(history.called)' was replaced; the page shows the new file.")
      }
      return try begin(
        history, reader,
        note: isReplaced ? "The history was replaced: this page shows the new file." : nil)
    }
    guard record.stored >= base.count, record.stored - base.count <= Self.mostGrowth,
      let new = try growth(of: record, reader, after: end)
    else { return try begin(history, reader, note: nil) }
    (growth, end) = (new.json, new.end)
    version += 1
    try tell(nil)
  }

  /// What the script has of a session; `nil` if the events up to a place are not the same any more.
  private func growth(
    of record: SessionRecord, _ reader: HistoryReader, after end: PageEnd?
  ) throws -> (json: String, end: PageEnd)? {
    let lost = try reader.losses(session: record.id).reduce(0) { $0 &+ $1.count }
    let session = ReportPage.Session(
      record: record, started: Decimal.date(record.wallTime), lost: lost, isHere: true, replay: nil)
    return try ReportPage.growth(
      of: session, reader, base: base.count, after: end, where: SessionChoice(arguments).means)
  }

  private func newest(_ history: OpenHistory) throws -> SessionRecord? {
    try SessionChoice(arguments).sessions(of: history, verifying: false).last
  }

  /// Replaces the script: a page never reads half of one.
  private mutating func tell(_ says: String?, isOver: Bool = false) throws {
    tick += 1
    if tick > 1, !WholeFile.isThere(script) {
      run.note("Note: '\(script.visible)' was removed; it is written again.")
    }
    let file = try OutputFile(script, replacing: arguments.has("force") || tick > 1)
    try file.write(
      ReportPage.script(
        tick: tick, version: version, base: base.made, session: uuid, says: says, isOver: isOver,
        growth: growth))
    try file.close()
  }
}
