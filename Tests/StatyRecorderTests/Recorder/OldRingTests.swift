import Chance
import CStatyRing
import Foundation
import StatyHistory
import StatyReading
import StatySQLite
import Testing

@testable import StatyRecorder

/// The rings of earlier processes are recovered, or their events are recorded as lost, even if they are
/// damaged.
///
/// They never keep the next recorder from recording.
@Suite struct OldRingTests {
  @Test func `the events in a truncated ring are recorded as lost`() throws {
    for length in [8, 100, 2_000, 100_000] {
      let place = try Place()
      try leaveBehind(at: place)
      let ring = URL(fileURLWithPath: place.path + "-ring")
      try Data(contentsOf: ring).prefix(length).write(to: ring)
      try recordMore(at: place)
      #expect(
        try place.query("SELECT ended, events FROM sessions ORDER BY session")
          == ["killed|3", "clean|1"], "\(length)")
      #expect(try place.unaccounted() == ["0", "0"])
    }
  }

  @Test func `the next recorder records, whichever byte of a ring's first page is damaged`() throws
  {
    let seed = testSeed
    var random = SeededRandom(seed: seed)
    let sound = try Place()
    try leaveBehind(at: sound)
    for round in 0..<tries(usual: 12, nightly: 40) {
      let place = try Place()
      for suffix in ["", "-ring"] {
        try FileManager.default.copyItem(atPath: sound.path + suffix, toPath: place.path + suffix)
      }
      // Not the bytes that identify the file: with those changed, it would be another kind of file.
      let offset = Int(random.next() % 2_000) + 8
      let bit = UInt8(1) << UInt8(random.next() % 8)
      try flip(bit, at: offset, of: place.path + "-ring")
      let comment: Comment = "seed \(seed), round \(round), bit \(bit) of byte \(offset)"
      try recordMore(at: place, comment)
      #expect(
        try place.query("SELECT ended FROM sessions ORDER BY session LIMIT 1 OFFSET 1")
          == ["clean"], comment)
      #expect(try place.unaccounted() == ["0", "0"], comment)
    }
  }

  @Test func `a ring that is blank after a loss of power is created again`() throws {
    for kept in [0, 4_096, 16_384] {
      let place = try Place()
      try leaveBehind(at: place)
      let ring = URL(fileURLWithPath: place.path + "-ring")
      let bytes = try Data(contentsOf: ring)
      try (Data(count: bytes.count - kept) + bytes.suffix(kept)).write(to: ring)
      try recordMore(at: place)
      #expect(
        try place.query("SELECT ended FROM sessions ORDER BY session") == ["killed", "clean"])
      #expect(try place.unaccounted() == ["0", "0"])
    }
  }

  @Test func `a session that was killed before its writer began has its own app version`() throws {
    let place = try Place()
    try leaveRing(at: place.path + "-ring", version: "1.9", drawn: 3)
    try recordMore(at: place)
    #expect(
      try place.query("SELECT app, app_version, os, ended, lost FROM sessions WHERE session = 1")
        == ["Shop|1.9|Plan 9|killed|3"])
  }

  @Test func `an app's name that is too long for the ring is cut between characters`() throws {
    let place = try Place()
    try leaveRing(at: place.path + "-ring", version: String(repeating: "é", count: 50), drawn: 1)
    try recordMore(at: place)
    #expect(
      try place.query("SELECT app_version FROM sessions WHERE session = 1")
        == [String(repeating: "é", count: 48)])
  }

  @Test func `after three killed launches in a row, opening waits for their rings, or for 50 ms`()
    throws
  {
    let place = try Place()
    for launch in 1...5 {
      try leaveRing(
        at: place.path + "-ring-\(UUID().uuidString)", version: "1.\(launch)", drawn: 2)
    }
    let start = ContinuousClock.now
    let recorder = try HistoryRecorder(at: place.path, options: RecorderOptions(app: "Shop"))
    let rings = try place.rings()
    // It waits for 50 ms at most, which may be too little on a busy machine.
    #expect(rings == ["history.sqlite-ring"] || start.duration(to: .now) >= .milliseconds(50))
    recorder.close()
    #expect(try place.rings() == [])
    #expect(
      try place.query("SELECT app_version, lost FROM sessions ORDER BY app_version")
        == ["|0", "1.1|2", "1.2|2", "1.3|2", "1.4|2", "1.5|2"])
  }

  @Test func `opening does not wait longer for old rings that are not recovered`() throws {
    let place = try Place()
    let paths = (1...5).map { _ in place.path + "-ring-\(UUID().uuidString)" }
    for path in paths { try leaveRing(at: path, version: "1.9", drawn: 2) }
    let descriptor = open(paths[0], O_RDONLY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    // The writer, which waits for this ring, does not answer before the recorder is open, or for ten seconds.
    let (isOpen, limit) = (Flag(), ContinuousClock.now + .seconds(10))
    let system = RecorderClock()
    let clock = RecorderClock(events: {
      while !isOpen.isSet, ContinuousClock.now < limit { usleep(1_000) }
      return system.events()
    })
    let start = ContinuousClock.now
    let recorder = try HistoryRecorder(
      at: place.path, options: RecorderOptions(app: "Shop"), clock: clock)
    let took = start.duration(to: .now)
    isOpen.set()
    // It waits for 50 ms; a busy machine may need more.
    #expect(took < .seconds(1))
    close(descriptor)
    #expect(eventually { try place.rings() == ["history.sqlite-ring"] })
    recorder.close()
    #expect(
      try place.query("SELECT app_version, lost FROM sessions WHERE ended = 'killed'")
        == Array(repeating: "1.9|2", count: 5))
  }

  @Test func `a ring without events is removed`() throws {
    let place = try Place()
    try leaveRing(at: place.path + "-ring", version: "1.9", drawn: 0)
    let recorder = try HistoryRecorder(at: place.path, options: RecorderOptions(app: "Shop"))
    try recorder.flush()
    #expect(try place.rings() == ["history.sqlite-ring"])
    recorder.close()
    #expect(try place.query("SELECT ended FROM sessions") == ["clean"])
  }

  /// Leaves the ring of a process that was killed after it had drawn this many numbers.
  private func leaveRing(at path: String, version: String, drawn: UInt64) throws {
    let process = ProcessMark(app: "Shop", appVersion: version, os: "Plan 9")
    let ring = try FlightRing(
      creatingAt: path, session: .now(process),
      options: RingOptions(lanes: 2, pieces: 2, records: 64, logBytes: 4096))
    if drawn > 0 { ring.drawnCounter.pointee = drawn }
  }

  @Test func `the recorder waits for a ring that another process has locked for a moment`() throws {
    let place = try Place()
    try leaveBehind(at: place)
    let aside = place.path + "-ring-" + UUID().uuidString
    try FileManager.default.moveItem(atPath: place.path + "-ring", toPath: aside)
    let descriptor = open(aside, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    Thread.detachNewThread {
      usleep(200_000)
      close(descriptor)
    }
    try recordMore(at: place)
    #expect(
      try place.query("SELECT ended, events FROM sessions ORDER BY session")
        == ["killed|6", "clean|1"])
    #expect(try place.rings() == [])
  }

  /// An app must not be without a recording at each launch until somebody moves it away.
  @Test func `another file in the ring's place is set aside unchanged, and the app records`() throws
  {
    let place = try Place()
    let text = Data("the user's own notes".utf8)
    try text.write(to: URL(fileURLWithPath: place.path + "-ring"))
    try recordMore(at: place)
    #expect(try place.query("SELECT ended, events FROM sessions") == ["clean|1"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path + "-no-ring")) == text)
    // Another one gets a name of its own.
    let more = Data("more notes".utf8)
    try more.write(to: URL(fileURLWithPath: place.path + "-ring"))
    try recordMore(at: place)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.path + "-no-ring")) == text)
    let others = try place.rings().filter { $0.hasPrefix("history.sqlite-no-ring-") }
    #expect(others.count == 1)
    #expect(
      try others.map { try Data(contentsOf: URL(fileURLWithPath: "\(place.directory)/\($0)")) }
        == [more])
    // What cannot be renamed as a file is left, and the error names it.
    try FileManager.default.createDirectory(
      atPath: place.path + "-ring", withIntermediateDirectories: false)
    let error = #expect(throws: RecorderError.self) { try HistoryRecorder(at: place.path) }
    #expect(error?.description.contains("is no flight ring") == true, "\(error!)")
  }

  @Test func `a ring of a newer version is kept under another name`() throws {
    let place = try Place()
    try leaveBehind(at: place)
    try flip(2 ^ 1, at: 8, of: place.path + "-ring")
    try recordMore(at: place)
    let kept = try place.rings()
    #expect(kept.count == 1 && kept[0].contains("-unreadable-ring-"), "\(kept)")
    #expect(
      try place.query("SELECT ended, events FROM sessions ORDER BY session")
        == ["killed|3", "clean|1"])
    // More than once: the ring stays, and every recorder works.
    try recordMore(at: place)
    #expect(try place.rings() == kept)
    #expect(try place.unaccounted() == ["0", "0", "0"])
  }

  @Test func `a ring whose session has ended is renamed, and others are recovered`() throws {
    let place = try Place()
    try leaveBehind(at: place)
    let hidden = place.path + ".hidden"
    try FileManager.default.moveItem(atPath: place.path + "-ring", toPath: hidden)
    // Its session ends without it.
    try recordMore(at: place)
    try FileManager.default.moveItem(
      atPath: hidden, toPath: place.path + "-ring-\(UUID().uuidString)")
    try recordMore(at: place)
    #expect(
      try place.query("SELECT ended, events FROM sessions ORDER BY session")
        == ["killed|3", "clean|1", "clean|1"])
    #expect(try place.unaccounted() == ["0", "0", "0"])
    let rings = try place.rings()
    #expect(rings.count == 1 && rings[0].contains("-unreadable-ring-"), "\(rings)")
  }

  @Test func `a ring that is locked for longer is recovered at a later attempt`() throws {
    let place = try Place()
    try leaveBehind(at: place)
    let aside = place.path + "-ring-" + UUID().uuidString
    try FileManager.default.moveItem(atPath: place.path + "-ring", toPath: aside)
    let descriptor = open(aside, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("more")
    #expect(throws: RecorderError.self) { try recorder.flush() }
    close(descriptor)
    #expect(eventually { (try? recorder.flush()) != nil })
    recorder.close()
    #expect(
      try place.query("SELECT ended, events FROM sessions ORDER BY session")
        == ["killed|6", "clean|1"])
    #expect(try place.rings() == [])
  }

  @Test(arguments: ["clean", "suspended"])
  func `a ring of another version tells how its session ended`(end: String) throws {
    let place = try Place()
    try leaveBehind(at: place)
    let ring = URL(fileURLWithPath: place.path + "-ring")
    var bytes = [UInt8](try Data(contentsOf: ring))
    bytes.withUnsafeMutableBytes { bytes in
      var header = bytes.loadUnaligned(as: staty_ring_header.self)
      header.version += 1
      header.check = staty_header_check(&header)
      let ended = end == "clean" ? staty_ended_clean : staty_ended_suspended
      header.ended.value = UInt64(ended.rawValue)
      bytes.storeBytes(of: header, as: staty_ring_header.self)
    }
    try Data(bytes).write(to: ring)
    try recordMore(at: place)
    #expect(
      try place.query("SELECT ended, events FROM sessions ORDER BY session")
        == ["\(end)|3", "clean|1"])
    #expect(try place.unaccounted() == ["0", "0"])
  }

  @Test func `of rings that cannot be recovered, the newest three are kept`() throws {
    let place = try Place()
    let notes = place.path + "-ring-\(UUID().uuidString)"
    try Data("the user's own notes".utf8).write(to: URL(fileURLWithPath: notes))
    for launch in 1...5 {
      let path = place.path + "-ring-\(UUID().uuidString)"
      try leaveRing(at: path, version: "1.\(launch)", drawn: 2)
      try flip(1, at: 100, of: path)
    }
    try recordMore(at: place)
    let rings = try place.rings()
    #expect(rings.count { $0.contains("-unreadable-ring-") } == 3)
    #expect(
      rings.filter { !$0.contains("-unreadable-ring-") } == [(notes as NSString).lastPathComponent])
    // They are not tried again.
    try recordMore(at: place)
    #expect(try place.rings() == rings)
  }

  @Test func `of many rings all are recovered, or the newest 16 are kept`() throws {
    let place = try Place()
    for launch in 1...20 {
      let path = place.path + "-ring-\(UUID().uuidString)"
      try leaveRing(at: path, version: "\(launch)", drawn: 1)
      // On some file systems, a file's time has a resolution of some milliseconds.
      usleep(20_000)
    }
    let kept = try Place()
    for ring in HistoryPlace.oldRings(of: place.path) {
      let name = ring.dropFirst(place.path.count)
      try FileManager.default.copyItem(atPath: ring, toPath: kept.path + name)
    }
    // As long as no launch can open the history.
    HistoryPlace.removeOldestRings(of: kept.path)
    #expect(HistoryPlace.oldRings(of: kept.path).count == 16)
    try recordMore(at: place)
    let recovered = try place.query("SELECT app_version FROM sessions WHERE ended = 'killed'")
    #expect(recovered.compactMap { Int($0) }.sorted() == Array(1...20))
  }

  @Test func `a session that lost its ring ends before the next ring's session begins`() throws {
    // The first ring was recovered and removed, and then the power failed before the file was synced.
    let place = try Place()
    try leaveBehind(at: place)
    try FileManager.default.removeItem(atPath: place.path + "-ring")
    let history = try HistoryWriter(path: place.path)
    let lost = try #require(try history.openSessions().first)
    try history.append(
      UnsafeBufferPointer(start: nil, count: 0), to: lost.id, observed: lost.observed + 3)
    try history.close()
    try leaveRing(at: place.path + "-ring", version: "1.9", drawn: 3)
    try recordMore(at: place)
    #expect(
      try place.query("SELECT ended, events, lost FROM sessions ORDER BY session")
        == ["killed|3|3", "killed|0|3", "clean|1|0"])
    #expect(try Set(place.unaccounted()) == ["0"])
  }

  @Test func `sessions are in order even if the wall clock was set back`() throws {
    let place = try Place()
    try leaveBehind(at: place)
    try FileManager.default.moveItem(
      atPath: place.path + "-ring", toPath: place.path + "-ring-\(UUID().uuidString)")
    // From a process that was killed before it opened the file, an hour earlier by the wall clock.
    var mark = SessionMark.now()
    mark.wallMicroseconds -= 3_600_000_000
    try leaveRing(at: place.path + "-ring-\(UUID().uuidString)", mark) { ring in
      _ = ring.put(markRecord(1, time: mark.beganNanoseconds))
    }
    try recordMore(at: place)
    #expect(
      try place.query("SELECT events, lost FROM sessions ORDER BY session")
        == ["6|0", "1|0", "1|0"])
    #expect(
      try place.query("SELECT started_at < (SELECT started_at FROM sessions) FROM sessions")
        == ["0", "1", "0"])
    #expect(try place.rings() == [])
    #expect(try place.unaccounted() == ["0", "0", "0"])
  }

  /// By default, a recorder keeps 30 days.
  @Test func `a killed launch from before the clock was set keeps its events`() throws {
    let place = try Place()
    try recordMore(at: place)
    var mark = SessionMark.now()
    mark.wallMicroseconds = 0
    try leaveRing(at: place.path + "-ring", mark) { ring in
      for number in 1...3 as ClosedRange<UInt64> {
        _ = ring.put(markRecord(number, time: mark.beganNanoseconds + number))
      }
    }
    for _ in 0..<2 { try recordMore(at: place) }
    #expect(
      try place.query("SELECT ended, events, lost FROM sessions ORDER BY session")
        == ["clean|1|0", "killed|3|0", "clean|1|0", "clean|1|0"])
  }

  @Test func `all events are stored in order even if the session's clock jumps`() throws {
    let place = try Place()
    let mark = SessionMark.now()
    let times: [UInt64] = [5_000_000, 1_000_000, 0, UInt64.max, 6_000_000]
    try leaveRing(at: place.path + "-ring", mark) { ring in
      for (index, time) in times.enumerated() {
        // The third is before the session's beginning, the fourth centuries after it.
        let absolute = time == 0 ? mark.beganNanoseconds - 1_000_000 : mark.beganNanoseconds &+ time
        _ = ring.put(
          markRecord(UInt64(index + 1), time: time == .max ? .max : absolute))
      }
    }
    try recordMore(at: place)
    let rows = try place.query("SELECT t_ms FROM history WHERE session = 1 ORDER BY seq")
    #expect(rows.count == 5)
    #expect(rows[0...2] == ["5.0", "1.0", "0.0"])
    #expect(rows[4] == "6.0")
    #expect(try place.firstDamage() == nil)
    #expect(try place.query("SELECT count(*) FROM sessions WHERE duration_ms < 0") == ["0"])
    #expect(try place.unaccounted() == ["0", "0"])
  }

  @Test func `texts that are not UTF-8 are repaired, and malformed notes are ignored`() throws {
    let place = try Place()
    let mark = SessionMark.now()
    try leaveRing(at: place.path + "-ring", mark) { ring in
      #expect(ring.note([0x61, 0xFF, 0xC3, 0x62], kind: 6, id: 1))
      #expect(ring.note([0xFE], kind: 1, id: 1))
      // A controller whose name is longer than its note, an unknown kind, a call site without a line, and
      // a detail that is too short.
      #expect(ring.note([1, 1, 0xFF, 0xFF, 0xFF, 0x7F, 0x61], kind: 3, id: 1))
      #expect(ring.note([1, 2, 3], kind: 99, id: 1))
      #expect(ring.note([1], kind: 2, id: 1))
      #expect(ring.note([], kind: 4, id: 2))
      var first = markRecord(1, time: mark.beganNanoseconds)
      first.flags = UInt16(STATY_RECORD_HAS_DETAILS)
      _ = ring.put(first)
      var second = markRecord(2, time: mark.beganNanoseconds)
      (second.kind, second.controller, second.visit, second.state, second.site) = (3, 1, 1, 1, 1)
      _ = ring.put(second)
    }
    try recordMore(at: place)
    #expect(try place.query("SELECT note FROM detail WHERE seq = 1") == ["a\u{FFFD}\u{FFFD}b"])
    #expect(
      try place.query("SELECT controller, visit, state FROM history WHERE seq = 2")
        == ["|1|\u{FFFD}"])
    #expect(try place.unaccounted() == ["0", "0"])
  }

  @Test func `a ring is recovered once, even if recorders are killed while they recover it`()
    throws
  {
    let place = try Place()
    let mark = SessionMark.now()
    let events = 60_000
    let sizes = RingOptions(lanes: 2, pieces: 2, records: 1 << 16, logBytes: 1 << 16)
    try leaveRing(at: place.path + "-ring", mark, sizes) { ring in
      #expect(ring.note(Array("asked".utf8), kind: 1, id: 1))
      let controller: [UInt8] =
        [1, 1, 4, 0, 0, 0] + Array("left".utf8) + [1, 0, 0, 0, 0x71, 0x7B, 0x7D]
      #expect(ring.note(controller, kind: 3, id: 1))
      for number in 1...UInt64(events) {
        var record = markRecord(number, time: mark.beganNanoseconds + number)
        (record.kind, record.controller, record.visit, record.state) = (3, 1, UInt32(number), 1)
        _ = ring.put(record)
      }
    }
    for _ in 0..<12 {
      let probe = try Probe(["hold", place.path], of: "RecorderProbe")
      #expect(probe.line() == "ready")
      usleep(UInt32.random(in: 0...250_000))
      probe.kill()
    }
    try recordMore(at: place)
    #expect(
      try place.query("SELECT ended, events, lost, controllers FROM sessions LIMIT 1")
        == ["killed|\(events)|0|1"])
    #expect(
      try place.query(
        """
        SELECT count(*) FROM history
        WHERE session = 1 AND controller = 'left' AND state = 'asked' AND kind = 'enqueued'
        """) == ["\(events)"])
    #expect(try place.rings() == [])
    #expect(try Set(place.unaccounted()) == ["0"])
    #expect(try place.query("SELECT count(*) FROM alias") == ["0"])
    #expect(try place.firstDamage() == nil)
  }

  @Test func `what a kill behind the removal of a ring left is deleted at the next opening`() throws
  {
    let place = try Place()
    try recordMore(at: place)
    // As if its recorder was killed between the two.
    try place.change(
      """
      INSERT INTO alias(session, kind, number, id) VALUES (1, 1, 7, 1);
      INSERT INTO continuation(session, drawn, shift, t_us) VALUES (1, 0, 0, 0);
      """)
    try recordMore(at: place)
    #expect(try place.query("SELECT count(*) FROM alias") == ["0"])
    #expect(try place.query("SELECT count(*) FROM continuation") == ["0"])
    #expect(try place.firstDamage() == nil)
  }

  /// A history with three stored marks, and the ring of a killed process with three more.
  private func leaveBehind(at place: Place) throws {
    let probe = try Probe(["hold", place.path], of: "RecorderProbe")
    #expect(probe.line() == "ready")
    for number in 1...3 {
      try probe.tell("stored \(number)")
      #expect(probe.line() == "marked")
    }
    while (try? place.query("SELECT count(*) FROM history")) != ["3"] { usleep(5_000) }
    // From now on the writer cannot store marks.
    try place.whileLocked {
      for number in 4...6 {
        try probe.tell("left \(number)")
        #expect(probe.line() == "marked")
      }
      probe.kill()
    }
  }

  private func recordMore(at place: Place, _ comment: Comment? = nil) throws {
    let recorder = try HistoryRecorder(at: place.path)
    recorder.mark("more")
    try recorder.flush()
    recorder.close()
    #expect(recorder.statistics.stored == 1, comment)
  }

  /// Leaves the ring of a process that was killed before it opened the history.
  private func leaveRing(
    at path: String, _ mark: SessionMark,
    _ sizes: RingOptions = RingOptions(lanes: 2, pieces: 2, records: 64, logBytes: 4_096),
    _ body: (FlightRing) -> Void
  ) throws {
    let ring = try FlightRing(creatingAt: path, session: mark, options: sizes)
    body(ring)
    // Copied, because closing would store that the session ended clean.
    let copy = path + ".copy"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    ring.close(removingFile: true)
    try FileManager.default.moveItem(atPath: copy, toPath: path)
  }

  private func markRecord(_ number: UInt64, time: UInt64) -> RingRecord {
    var record = RingRecord()
    record.number = number
    record.time = time
    record.kind = 13
    return record
  }

  private func flip(_ bits: UInt8, at offset: Int, of path: String) throws {
    let url = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: url)
    bytes[offset] ^= bits
    try bytes.write(to: url)
  }
}
