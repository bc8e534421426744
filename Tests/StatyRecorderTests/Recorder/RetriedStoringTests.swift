import CStatyRing
import Foundation
import Staty
import StatyRules
import StatySQLite
import Testing

@testable import StatyHistory
@testable import StatyRecorder

/// Events that could not be stored at first are stored later with all their notes, by this recorder or the next.
///
/// The test calls the writer's turns, and limits the size of its file.
@Suite struct RetriedStoringTests {
  private let place: RingDirectory
  private let recorder: SimulatedRecorder
  private let probe = ControllerProbe("probe")

  init() throws {
    place = try RingDirectory(inMemory: true)
    recorder = try SimulatedRecorder(
      at: place.file("history.sqlite"), life: 1,
      RingOptions(lanes: 2, pieces: 2, records: 8_192, logBytes: 1 << 20),
      RecorderOptions(app: "retried"))
    recorder.attach(probe, as: "screen")
    try store()
  }

  @Test func `names get new numbers if the file was closed before they were stored`() throws {
    try fill()
    // Both need one page more than there is.
    let names = ["loading", "content"].map { StateName(String(repeating: $0 + " ", count: 125)) }
    for name in names { probe.requested(Page(), named: name) }
    #expect(recorder.writer.turn()?.isStored == false)
    try suspend()
    probe.requested(Page(), named: "alert")
    try store()
    #expect(try states() == names.map(\.description) + ["alert"])
  }

  @Test func `events that could not be stored keep their notes`() throws {
    let texts = (1...5_000).map { "note \($0)" }
    for text in texts { recorder.core.mark(text) }
    let before = recorder.core.statistics.stored
    // Enough pages for the first batch, but not for the second.
    var pages: Int64 = 0
    while recorder.core.statistics.stored == before {
      pages += 8
      try allow(pages: pages)
      #expect(recorder.writer.turn()?.isStored == false)
    }
    try store()
    #expect(try notes() == texts)
  }

  @Test func `a note survives a kill if its event was put after a commit`()
    throws
  {
    let number = recorder.core.numbering.next()
    #expect(recorder.core.note(.mark(event: number, text: "late")))
    recorder.core.mark("in time")
    try store()
    recorder.core.put(mark(number))
    recorder.core.ring.stop()
    let ring = try FlightRing.peek(path: place.file("history.sqlite-ring"))
    let next = try HistoryWriter(path: place.file("history.sqlite"))
    let recovery = SessionRecovery(writer: next)
    #expect(try recovery.recover(ring))
    #expect(try notes() == ["late", "in time"])
  }

  @Test func `notes of events that are never put make room when the log is nearly full`() throws {
    for _ in 0..<400 {
      let number = recorder.core.numbering.next()
      #expect(recorder.core.note(.mark(event: number, text: String(repeating: "-", count: 4_000))))
      recorder.core.mark("there")
      try store()
    }
    #expect(recorder.core.statistics.lost == 0)
    #expect(try notes().count == 400)
  }

  @Test func `a session stays clean if its process is killed before its ring is removed`() throws {
    probe.requested(Page(), named: "loading")
    try store()
    let left = place.file("left")
    try FileManager.default.copyItem(atPath: place.file("history.sqlite-ring"), toPath: left)
    _ = recorder.requests.ask(waiting: false) { $0.isClosing = true }
    #expect(recorder.writer.turn() == nil)
    let ring = try FlightRing.recover(path: left)
    #expect(ring.ended == .killed)
    let next = try HistoryWriter(path: place.file("history.sqlite"))
    #expect(try SessionRecovery(writer: next).recover(ring))
    #expect(try next.sessions().map(\.ended) == [.clean])
    #expect(try query("SELECT count(*) FROM controller") == ["1"])
  }

  @Test
  func `recovered events get no name from an alias whose name is not in the file`()
    throws
  {
    probe.requested(Page(), named: "loading")
    recorder.core.ring.stop()
    let ring = try FlightRing.peek(path: place.file("history.sqlite-ring"))
    let next = try HistoryWriter(path: place.file("history.sqlite"))
    let session = try #require(try next.sessions().first)
    for entry in ring.entries {
      guard case .name(let number, _) = Note(kind: entry.kind, id: entry.id, bytes: entry.bytes)
      else { continue }
      try next.store(
        aliases: [Alias(kind: .name, number: number, id: 77)], session: session.id)
    }
    let recovery = SessionRecovery(writer: next)
    #expect(try recovery.recover(ring))
    #expect(try states() == ["loading"])
  }

  @Test func `the numbers of a ring that contradicts the file are lost and not used again`() throws
  {
    for number in 1...5 { recorder.core.mark("note \(number)") }
    recorder.core.ring.stop()
    let ring = try FlightRing.peek(path: place.file("history.sqlite-ring"))
    let next = try HistoryWriter(path: place.file("history.sqlite"))
    // One of the five numbers has a row without a session.
    try next.connection.execute(
      """
      INSERT INTO event
      SELECT t, what, visit, state, inside, ref, (SELECT max(seq) + 4 FROM event) FROM event LIMIT 1
      """)
    let recovery = SessionRecovery(writer: next)
    #expect(try !recovery.recover(ring))
    try recovery.closeOthers()
    let session = try #require(try next.sessions().first)
    #expect(session.observed == Int64(ring.highestDrawn) && session.ended == .killed)
    #expect(try next.losses(session: session.id).values.reduce(0, +) == 4)
  }

  @Test func `a file that could not be written is closed when close returns`()
    throws
  {
    try fill()
    // More than the existing pages have room for.
    let texts = (1...5_000).map { "note \($0)" }
    for text in texts { recorder.core.mark(text) }
    weak let connection = recorder.writer.writer?.connection
    #expect(connection != nil)
    let number = recorder.requests.ask(waiting: true) { $0.isClosing = true }
    #expect(recorder.writer.turn() == nil)
    #expect(recorder.requests.wait(for: number, atMost: 1)?.contains("full") == true)
    #expect(connection == nil)
    let history = try HistoryWriter(path: place.file("history.sqlite"))
    let ring = try FlightRing.recover(path: place.file("history.sqlite-ring"))
    let recovery = SessionRecovery(writer: history)
    #expect(try recovery.recover(ring))
    #expect(try notes() == texts)
  }

  @Test func `names are kept once, and controllers that are gone are forgotten`() throws {
    for _ in 0..<100 {
      let short = ControllerProbe("probe")
      recorder.attach(short, as: "short")
      short.requested(Page(), named: "loading")
      recorder.detach(short)
      try store()
    }
    #expect(
      recorder.writer.introductions.entries.map(\.kind)
        == [Note.Kind.name.rawValue, Note.Kind.controller.rawValue])
  }

  @Test func `what was followed before the file was closed is not followed again`() throws {
    for _ in 0..<1_000 { probe.requested(Page(), named: "loading") }
    try store()
    try suspend()
    probe.requested(Page(), named: "alert")
    try store()
    #expect(try #require(recorder.writer.writer).connection.totalChanges < 100)
    #expect(try query("SELECT count(*) FROM visits") == ["1001"])
    #expect(try query("SELECT state FROM visits ORDER BY visit DESC LIMIT 1") == ["alert"])
  }

  @Test func `a session that was suspended whole is not followed again by the next launch`() throws
  {
    for _ in 0..<1_000 { probe.requested(Page(), named: "loading") }
    try suspend()
    recorder.core.ring.stop()
    let ring = try FlightRing.peek(path: place.file("history.sqlite-ring"))
    let next = try HistoryWriter(path: place.file("history.sqlite"))
    next.judge()
    let recovery = SessionRecovery(writer: next)
    #expect(try recovery.recover(ring))
    #expect(next.connection.totalChanges < 100)
    #expect(try query("SELECT ended FROM sessions") == ["killed"])
    #expect(try query("SELECT count(*) FROM visits") == ["1000"])
  }

  @Test func `findings that stay the same are not written again`() throws {
    for _ in 0..<100 { probe.requested(Page(), named: "loading") }
    try store()
    let writer = try #require(recorder.writer.writer)
    let session = try #require(try writer.sessions().first)
    try writer.addAnchor(session: session.id, time: 60_000_000, wallTime: 1_760_000_000_000_000)
    try writer.judgeEnd(of: session.id)
    #expect(try query("SELECT count(*) > 0 FROM finding") == ["1"])
    let before = writer.connection.totalChanges
    try writer.judgeEnd(of: session.id)
    #expect(writer.connection.totalChanges - before < 5)
  }

  private func mark(_ number: UInt64) -> staty_record {
    var record = staty_record()
    record.number = number
    record.kind = EventKind.mark.rawValue
    record.flags = UInt16(STATY_RECORD_HAS_DETAILS)
    return record
  }

  /// Makes the file full.
  private func fill() throws { try allow(pages: 0) }

  private func allow(pages more: Int64) throws {
    let writer = try #require(recorder.writer.writer)
    let pages = try writer.connection.integerPragma("page_count") ?? 0
    try writer.connection.setPragma("max_page_count", to: "\(pages + more)")
  }

  private func store() throws {
    try recorder.writer.writer?.connection.setPragma("max_page_count", to: "\(1 << 30)")
    #expect(recorder.writer.turn()?.isStored == true)
  }

  private func suspend() throws {
    _ = recorder.requests.ask(waiting: false) { $0.isSuspended = true }
    #expect(recorder.writer.turn()?.isSuspended == true)
    _ = recorder.requests.ask(waiting: false) { $0.isSuspended = false }
  }

  private func states() throws -> [String?] {
    try query("SELECT state FROM history WHERE kind = 'enqueued' ORDER BY seq")
  }

  private func notes() throws -> [String?] {
    try query(
      """
      SELECT (SELECT note FROM detail d WHERE d.seq = h.seq) FROM history h
      WHERE kind = 'mark' ORDER BY seq
      """)
  }

  private func query(_ sql: String) throws -> [String?] {
    let connection = try Connection(path: place.file("history.sqlite"), mode: .readOnly)
    defer { try? connection.close() }
    let rows = try connection.prepare(sql)
    var found: [String?] = []
    while try rows.step() { found.append(try rows.string(at: 0)) }
    return found
  }
}
