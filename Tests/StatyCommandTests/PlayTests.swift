import Foundation
import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatyCommand
import LibC

/// Going through a history, in a terminal and without one.
@Suite(.serialized) struct PlayTests {
  private let place: Place

  init() throws {
    place = try Place()
    try place.write(TimelineTests.eventful)
  }

  private func played() throws -> Terminal {
    let terminal = try Terminal(["play", "--color=never", "history.sqlite"], in: place.directory)
    #expect(terminal.wait(for: "event 1 at "), "\(terminal.said)")
    return terminal
  }

  @Test func `keys go forward and back, and to what is looked for`() throws {
    let terminal = try played()
    for (keys, said) in [
      ("\u{1b}[C", "event 2 at "), ("l", "event 3 at "), ("\u{1b}[D", "event 2 at "),
      ("\u{1b}[6~", "event 12 at "), ("g7\r", "event 7 at "), ("b", "event 1 at "),
      ("n", "error[overlap]"), ("b", "event 1 at "), ("N", "No finding before this event."),
      ("e", "event 23 at "),
      ("\u{1b}[A", "event 22 at "), ("x\u{1b}", "event 22 at "), ("g", "Go to event: _"),
    ] {
      #expect(terminal.type(keys, andWaitFor: said), "\(keys.debugDescription): \(terminal.said)")
    }
    #expect(terminal.type("9", andWaitFor: "Go to event: 9_"))
    #expect(terminal.type("\u{7f}\r", andWaitFor: "event 22 at "))
    terminal.type("q")
    #expect(terminal.end() == .exit(0))
    #expect(terminal.isAsBefore)
    #expect(terminal.all.hasSuffix("\u{1b}[?25h\u{1b}[?1049l"))
  }

  @Test func `playing goes to the end, with idle time cut short`() throws {
    let terminal = try Terminal(
      ["play", "history.sqlite"], in: place.directory)
    #expect(terminal.type("++++++++++", andWaitFor: "Speed 1024.00x."))
    #expect(terminal.type(" ", andWaitFor: "event 23 at "), "\(terminal.said)")
    #expect(terminal.type("-", andWaitFor: "Speed 512.00x."))
    terminal.type("q")
    #expect(terminal.end() == .exit(0))
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func `a signal ends it, and the terminal is as it was`(signal: Int32) throws {
    let terminal = try played()
    #expect(!terminal.isAsBefore)
    terminal.send(signal)
    #expect(terminal.end() == .signal(signal))
    #expect(terminal.isAsBefore)
    #expect(terminal.all.hasSuffix("\u{1b}[?25h\u{1b}[?1049l"))
  }

  @Test func `an interrupt is a way to quit`() throws {
    let terminal = try played()
    terminal.send(SIGINT)
    #expect(terminal.end() == .exit(0))
    #expect(terminal.isAsBefore)
  }

  @Test func `a stop restores the terminal, and going on draws it again`() throws {
    let terminal = try played()
    #expect(terminal.type("l", andWaitFor: "event 2 at "))
    terminal.forget()
    terminal.send(SIGTSTP)
    #expect(terminal.wait(for: "\u{1b}[?1049l"))
    #expect(terminal.waitUntilStopped())
    #expect(terminal.isAsBefore)
    terminal.forget()
    terminal.send(SIGCONT)
    #expect(terminal.wait(for: "event 2 at "), "\(terminal.said)")
    #expect(terminal.said.contains("\u{1b}[?1049h"))
    #expect(!terminal.isAsBefore)
    terminal.type("q")
    #expect(terminal.end() == .exit(0))
    #expect(terminal.isAsBefore)
  }

  /// The lines that are drawn in a window of another size; the last one comes behind what clears the
  /// rest.
  private func lines(_ terminal: Terminal, columns: UInt16, lines: UInt16) -> [Substring] {
    terminal.forget()
    terminal.resize(columns: columns, lines: lines)
    terminal.send(SIGWINCH)
    #expect(terminal.wait(for: "\u{1b}[J"))
    return terminal.said.replacing(#/\u{1b}\[\??[0-9;]*[A-Za-z]/#, with: "")
      .replacing("\r", with: "").split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  @Test func `a window of another size is drawn anew, and nothing is broader than it`() throws {
    let terminal = try played()
    let drawn = lines(terminal, columns: 36, lines: 12)
    #expect(drawn.count == 12)
    #expect(drawn.allSatisfy { $0.count <= 36 }, "\(drawn)")
    for (columns, height) in [
      (20, 6), (80, 6), (20, 24), (19, 24), (80, 5), (10, 3), (3, 2), (1, 1),
    ] {
      let drawn = lines(terminal, columns: UInt16(columns), lines: UInt16(height))
      #expect(drawn.count <= height, "\(columns) times \(height): \(drawn)")
      #expect(drawn.allSatisfy { $0.count <= columns }, "\(columns) times \(height): \(drawn)")
    }
    #expect(lines(terminal, columns: 10, lines: 3) == ["Event 1", "too small", "q quits"])
    // A terminal that does not know is taken for a usual one.
    #expect(lines(terminal, columns: 0, lines: 0).count == 24)
    terminal.type("q")
    #expect(terminal.end() == .exit(0))
  }

  @Test func `an event is found in whatever session it is`() throws {
    try place.write(.clean, .overlapping(), .clean, to: "many.sqlite")
    for session in try HistoryReader(path: place.path("many.sqlite")).sessions() {
      let shown = Capture(
        ["play", "--at=\(session.firstSeq)", place.path("many.sqlite")], width: 100)
      #expect(
        shown.out.contains("Session \(session.id), event \(session.firstSeq) "), "\(shown.out)")
    }
    let past = Capture(["play", "--at=1", "--session=3", place.path("many.sqlite")], width: 100)
    #expect(past.err.contains("The first is ") && !past.err.contains("before"), "\(past.err)")
  }

  @Test func `without a terminal the state is printed`() throws {
    try place.expect(["play", "history.sqlite"], "play-end", status: 0)
    try place.expect(["play", "--at=9", "history.sqlite"], "play-at", status: 0)
    try place.expect(["play", "--at=9", "history.sqlite"], "play-at-40", status: 0, columns: 40)
    let narrow = try Binary(
      ["play", "history.sqlite"], in: place.directory, environment: ["COLUMNS": "40"])
    #expect(narrow.err.hasPrefix("Note: this is no terminal"))
    #expect(narrow.err.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(narrow.err)")
    try place.expect(["play", "--at=900", "history.sqlite"], "play-error-at", status: 64)
  }

  @Test func `after a gap, visits without an event since are listed`() throws {
    var story = Story()
    let asked = story.add(.enqueued, 1)
    story.add(.entering, 1, cause: asked)
    story.add(.entered, 1)
    story.lose(3)
    story.add(.enqueued, 2)
    story.add(.enqueued, 3)
    let path = try place.write(story, to: "gap.sqlite")
    let after = Capture(["play", path], width: 100)
    let doubt = "not sure   #1 loading: not heard of since events are missing, and perhaps gone"
    #expect(after.out.contains(doubt), "\(after.out)")
    #expect(!Capture(["play", "--at=4", path], width: 100).out.contains("not sure"))
  }

  /// The open visits, and how far each is.
  private func open(_ played: PlayedHistory) -> [String] {
    let standing = played.now.visits.overview(of: 1)
    let visits = (standing?.onStage ?? []) + (standing?.waiting ?? [])
    return visits.sorted { $0.visit < $1.visit }.map {
      "\($0.visit) \($0.progress) since \($0.since.seq)\($0.isLost ? ", not sure" : "")"
    }
  }

  @Test(arguments: 0..<6) func `an event is the same wherever one came from`(seed: UInt64) throws {
    var random = Generator(state: seed)
    var story = Story("queue")
    for visit in UInt32(1)...700 {
      let asked = story.add(.enqueued, visit)
      if random.below(3) > 0 { story.add(.entering, visit, cause: asked) }
      if random.below(3) > 0 { story.add(.entered, visit) }
      if random.below(40) == 0 { story.lose(2) }
      if random.below(3) > 0 { story.add(.exited, visit) }
    }
    let reader = try HistoryReader(path: place.write(story, to: "long\(seed).sqlite"))
    var played = try PlayedHistory(#require(reader.sessions().first), reader)
    func state(_ played: PlayedHistory) -> PlayedState {
      PlayedState(
        seq: played.now.seq, count: played.now.count, lostBefore: played.now.lostBefore,
        last: open(played).suffix(20).map { $0 })
    }
    var states = [played.now.seq: state(played)]
    var seqs = [played.now.seq]
    while try played.forward() {
      states[played.now.seq] = state(played)
      seqs.append(played.now.seq)
    }
    #expect(seqs.count == story.rows.count)
    for _ in 0..<60 {
      switch random.below(3) {
      case 0: try played.go(to: seqs[Int(random.below(UInt64(seqs.count)))])
      case 1: for _ in 0..<random.below(5) { try played.back() }
      default: for _ in 0..<random.below(5) { try played.forward() }
      }
      #expect(state(played) == states[played.now.seq], "seed \(seed)")
    }
    #expect(played.kept.count <= 513)
  }

  @Test(arguments: [0, 300, 3_000])
  func `what is kept to go back to is bounded by the visits in it`(mostWeight: Int) throws {
    var story = Story("queue")
    for visit in UInt32(1)...400 { story.add(.enqueued, visit) }
    for visit in UInt32(1)...400 { story.add(.exited, visit) }
    let reader = try HistoryReader(path: place.write(story, to: "many.sqlite"))
    var played = try PlayedHistory(
      #require(reader.sessions().first), reader, mostWeight: mostWeight)
    var open: [Int64: [String]] = [:]
    repeat {
      open[played.now.seq] = self.open(played)
      // The beginning is kept in any case.
      #expect(played.keptWeight <= mostWeight + 1)
    } while try played.forward()
    #expect(open.count == 801)
    #expect(mostWeight < 3_000 || played.kept.count > 1)
    for _ in 0..<5 {
      try played.back()
      #expect(self.open(played) == open[played.now.seq])
    }
    for seq in [400, 401, 3, 799, 64, 65, 128] as [Int64] {
      try played.go(to: seq)
      try played.back()
      #expect(played.now.seq == seq - 1)
      #expect(self.open(played) == open[seq - 1])
      #expect(played.keptWeight <= mostWeight + 1)
    }
  }
}

/// What a played history has at an event, and the visits that entered last.
private struct PlayedState: Equatable {
  let seq: Int64
  let count: Int64
  let lostBefore: Int64
  let last: [String]
}
