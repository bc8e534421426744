import CStatyRing
import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatySQLite
import Testing

@testable import StatyCommand

/// What `doctor` says of files that are whole, and of those that are not.
@Suite struct DoctorTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Binary(
      ["doctor"] + arguments, in: place.directory,
      environment: columns.map { ["COLUMNS": "\($0)"] } ?? [:])
    #expect(run.status == status, "\(run.err)", sourceLocation: sourceLocation)
    // How large it is depends on the schema.
    let version = "\(HistoryFile.schemaVersion)"
    let mention = try Regex("(schema|up to|schema\":)\\s+\(version)\\b")
    let text = run.transcript
      .replacing(#/[0-9,]+ bytes?/#, with: "N bytes")
      .replacing(#/"bytes": [0-9]+/#, with: "\"bytes\": N")
      .replacing(mention) { String(($0.output[0].substring ?? "").dropLast(version.count)) + "S" }
    try expectGolden(text, name, sourceLocation: sourceLocation)
  }

  @Test func `a whole history is said to be so, in every width and for programs`() throws {
    var story = Story.clean
    story.lose(3)
    story.add(.exiting, 3)
    try place.write(.clean, story)
    try expect(["history.sqlite"], "doctor", status: 0)
    try expect(["history.sqlite"], "doctor-40", status: 0, columns: 40)
    try expect(["history.sqlite", "--json"], "doctor-json", status: 0)
  }

  @Test func `what retention has deleted is counted`() throws {
    try place.write(.clean, .clean, .overlapping("mine"))
    let writer = try HistoryWriter(path: place.path())
    for session in 1...2 as ClosedRange<Int64> { try writer.remove(session: session) }
    try writer.close()
    let doctor = Capture(["doctor", place.path()]).out
    let words = doctor.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("28 events of earlier sessions are not in the file"), "\(doctor)")
    let json = Capture(["doctor", "--json", place.path()]).out
    #expect(json.contains(#""events_before": 28"#), "\(json)")
  }

  @Test func `a log that breaks off leaves a doubt, and is not said to be whole`() throws {
    let writer = try HistoryWriter(path: place.path("live"))
    let session = try writer.beginSession(
      SessionOpening(uuid: "u", app: "Shop", appVersion: "1", os: "", pid: 1, wallTime: 0))
    try writer.checkpoint(.truncate)
    for seq in 1...5 as ClosedRange<Int64> {
      let rows = [EventRow(seq: seq, time: 5, kind: .mark)]
      _ = try rows.withUnsafeBufferPointer { try writer.append($0, to: session) }
    }
    try FileManager.default.copyItem(atPath: place.path("live"), toPath: place.path("history"))
    var log = Array(try Data(contentsOf: URL(fileURLWithPath: place.path("live-wal"))))
    try writer.close()
    log[32 + 4_120 + 2_000] ^= 1
    try Data(log).write(to: URL(fileURLWithPath: place.path("history-wal")))
    let said = try Binary(["doctor", "history"], in: place.directory)
    #expect(said.status == 2 && said.out.contains("Perhaps not"), "\(said.transcript)")
    let words = said.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("The log breaks off within frame 2, and "), "\(said.transcript)")
    let json = try Binary(["doctor", "history", "--json"], in: place.directory)
    #expect(json.out.contains("\"log_breaks_at_frame\": 2"), "\(json.out)")
    #expect(json.out.contains("\"whole\": false"), "\(json.out)")
    let check = try Binary(["check", "history"], in: place.directory)
    #expect(check.status == 2 && check.err.contains("breaks off within frame 2"), "\(check.err)")
    let saved = try Binary(
      ["doctor", "history", "--salvage", "saved"], in: place.directory)
    #expect(saved.status == 2 && saved.out.contains("breaks off"), "\(saved.transcript)")
  }

  @Test func `events that are only in the log are counted, also if it has deleted others`() throws {
    let writer = try HistoryWriter(path: place.path("live"))
    func store(_ seqs: ClosedRange<Int64>, _ session: Int64) throws {
      let rows = seqs.map { EventRow(seq: $0, time: 5, kind: .mark) }
      _ = try rows.withUnsafeBufferPointer { try writer.append($0, to: session) }
    }
    for (uuid, seqs) in [("u1", 1...6), ("u2", 7...7)] as [(String, ClosedRange<Int64>)] {
      let session = try writer.beginSession(
        SessionOpening(uuid: uuid, app: "Shop", appVersion: "1", os: "", pid: 1, wallTime: 0))
      try store(seqs, session)
      try writer.endSession(session, .clean)
    }
    try writer.checkpoint(.truncate)
    try writer.remove(session: 1)
    try store(8...10, 2)
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: place.path("live") + end, toPath: place.path("history") + end)
    }
    try writer.close()
    // An empty name of the folder for the copy that is read is none.
    let said = try Binary(
      ["doctor", "history"], in: place.directory, environment: ["TMPDIR": ""])
    #expect(said.status == 0, "\(said.transcript)")
    let text = said.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("it has 3 events that are not in the file itself."), "\(text)")
    #expect(text.contains("Take history-wal along; otherwise 3 events are missing."), "\(text)")
  }

  @Test func `a file that is nothing but a hole of the largest size is refused, and nothing traps`()
    throws
  {
    // Most file systems have smaller files.
    let folder = "/dev/shm/staty-\(UUID().uuidString)"
    guard
      (try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)) != nil
    else { return }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try place.write(.clean)
    for end in ["", "-wal"] {
      try Data(contentsOf: URL(fileURLWithPath: path)).write(
        to: URL(fileURLWithPath: folder + "/history" + end))
    }
    guard truncate(folder + "/history", .max) == 0 else { return }
    for arguments in [["doctor"], ["check"], ["doctor", "--salvage", place.path("saved")]] {
      let run = try Binary(arguments + [folder + "/history"], in: place.directory)
      #expect(run.status == 65, "\(arguments): \(run.transcript)")
    }
  }

  @Test func `what is no history is named, and what is damaged too`() throws {
    try Data("hello, this is no database".utf8).write(to: URL(fileURLWithPath: place.path("text")))
    try Data().write(to: URL(fileURLWithPath: place.path("empty")))
    try expect(["text", "empty"], "doctor-other", status: 65)
    try expect(["none"], "doctor-none", status: 66)
    for (name, sql) in [
      "changed": "UPDATE event SET t = t + 1 WHERE seq = 3", "newer": "PRAGMA user_version = 77",
      "foreign": "PRAGMA application_id = 5", "strange": "CREATE VIEW x AS SELECT 1",
    ] {
      try place.write(.clean, to: name)
      try place.tamper(sql, name)
    }
    try expect(["changed", "newer", "foreign", "strange"], "doctor-damaged", status: 65)
    let path = try place.write(.clean, to: "torn")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: 8_192)
    try file.write(contentsOf: Data(repeating: 0xa5, count: 4_096))
    try file.close()
    let torn = try Binary(["doctor", "torn"], in: place.directory)
    #expect(torn.status == 65, "\(torn.out)")
  }

  @Test func `a ring that no launch could recover is named`() throws {
    try place.write(.clean)
    let name = "history.sqlite-unreadable-ring-00000000-0000-0000-0000-000000000001"
    try FlightRing(creatingAt: place.path(name)).close(removingFile: false)
    let doctor = try Binary(["doctor", "history.sqlite"], in: place.directory)
    let text = doctor.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(doctor.status == 0, "\(doctor.transcript)")
    #expect(text.contains("a launch could not recover it; its events count as lost"), "\(text)")
  }

  @Test func `of a ring that is left it is said how it was, and whether its process is gone`()
    throws
  {
    let path = place.path("history.sqlite-ring")
    let ring = try FlightRing(creatingAt: path)
    var event = RingRecord()
    (event.number, event.kind) = (1, EventKind.mark.rawValue)
    #expect(ring.put(event) == .stored)
    let writer = try HistoryWriter(path: place.path())
    _ = try writer.beginSession(
      SessionOpening(
        uuid: ring.session.uuid, app: "Shop", appVersion: "1", os: "", pid: 1, wallTime: 0))
    try writer.close()
    ring.close(removingFile: false)
    let pid = ProcessInfo.processInfo.processIdentifier
    let closed = try words(["doctor", "history.sqlite"])
    let end = ", and no launch has recorded here since."
    #expect(
      closed.contains("Session 1 has not ended: it was closed, but could not be written" + end),
      "\(closed)")
    #expect(
      closed.contains("history.sqlite-ring: left by process \(pid); 1 event waits"), "\(closed)")
    #expect(try words(["show", "history.sqlite"]).contains("Note: 1 event waits next to the file"))
    try change(path) { header in
      header.stopped = 0
      header.pid = UInt32(Int32.max)
    }
    let exited = try words(["doctor", "history.sqlite"])
    #expect(exited.contains("its process exited before it was written" + end), "\(exited)")
    #expect(exited.contains("left by process \(Int32.max), which is gone; 1 event"), "\(exited)")
    try change(path) { $0.ended.value = UInt64(staty_ended_killed.rawValue) }
    let killed = try words(["doctor", "history.sqlite"])
    #expect(killed.contains("its process was killed" + end), "\(killed)")
  }

  /// What the tool says, with one space between words.
  private func words(_ arguments: [String]) throws -> String {
    try Binary(arguments, in: place.directory).transcript.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// Changes the header of a ring.
  private func change(_ path: String, _ change: (inout staty_ring_header) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes.withUnsafeMutableBytes { bytes in
      var header = bytes.loadUnaligned(as: staty_ring_header.self)
      change(&header)
      header.check = staty_header_check(&header)
      bytes.storeBytes(of: header, as: staty_ring_header.self)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test func `the recording process is named, and events in ring and log are counted`() throws {
    var options = RecorderOptions()
    options.gathering = .seconds(3_600)
    let recorder = try HistoryRecorder(at: place.path(), options: options)
    recorder.mark("stored")
    try recorder.flush(.stored)
    let pid = ProcessInfo.processInfo.processIdentifier
    let living = try Binary(["doctor", "history.sqlite"], in: place.directory)
    #expect(living.status == 0, "\(living.err)")
    #expect(living.out.contains("Process \(pid) records into it."))
    #expect(living.out.contains("Not while it is recorded"))
    recorder.mark("waits")
    // As a killed process leaves them.
    for suffix in ["", "-wal", "-ring"] {
      try FileManager.default.copyItem(
        atPath: place.path() + suffix, toPath: place.path("killed.sqlite") + suffix)
    }
    recorder.close()
    let before = try contents()
    let killed = try Binary(["doctor", "killed.sqlite"], in: place.directory)
    #expect(killed.status == 0, "\(killed.out)\(killed.err)")
    let text = killed.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("No process records into it."))
    #expect(text.contains("its process was killed, and no launch has recorded here since."))
    #expect(
      text.contains(
        "killed.sqlite-ring: left by process \(pid); 1 event waits in it until"))
    #expect(text.contains("it has 1 event that is not in the file itself."), "\(text)")
    #expect(
      text.contains(
        "Take killed.sqlite-wal and killed.sqlite-ring along; otherwise 2 events are missing."))
    // Its first page is in the log, too.
    #expect(text.contains("A history of schema \(HistoryFile.schemaVersion)"), "\(text)")
    let show = try Binary(["show", "killed.sqlite"], in: place.directory)
    #expect(show.out.contains("stored") && !show.out.contains("waits"))
    // Every verb that uses a session without its end reports that.
    let verbs = [
      "show", "check", "replay", "timeline", "sessions", "stuck", "stats", "export", "report",
      "graph", "play", "minimize", "test", "redact -o r.sqlite", "merge -o m.sqlite",
      "doctor --salvage=s.sqlite",
    ]
    for verb in verbs {
      let words = verb.split(separator: " ").map(String.init) + ["killed.sqlite"]
      let run = try Binary(words, in: place.directory)
      #expect(run.err.contains("Note: 1 event of a killed process waits next to"), "\(verb)")
    }
    let query = try Binary(["query", "killed.sqlite", "SELECT 1"], in: place.directory)
    #expect(query.err.contains("Note: 1 event of a killed process waits next to"))
    for name in ["r.sqlite", "m.sqlite", "s.sqlite"] {
      try FileManager.default.removeItem(atPath: place.path(name))
    }
    #expect(try contents() == before)
    // Without its log nothing is in it.
    try FileManager.default.copyItem(
      atPath: place.path("killed.sqlite"), toPath: place.path("alone.sqlite"))
    let alone = try Binary(["check", "alone.sqlite"], in: place.directory)
    #expect(alone.status == 65)
    #expect(
      alone.err == """
        Error: Opening 'alone.sqlite': it is a database with nothing in it yet.
          If a recorder made it, what it recorded is in 'alone.sqlite-wal' and 'alone.sqlite-ring', which were next to it: copy those, too.

        """)
    let looked = try Binary(["doctor", "alone.sqlite"], in: place.directory)
    #expect(looked.status == 65 && looked.out.contains("with nothing in it yet."))
  }

  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: place.path($0))))
      })
  }
}
