import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

/// A model that tells another what it has been told: the other's message comes with it, whatever the order.
@Suite final class PassedOnTests {
  enum SessionMessage: RecordedMessage { case refresh, refreshed, signOut }
  enum PlayerMessage: RecordedMessage { case load, pause }

  final class Session {
    enum State { case unknown, `in`, out }
    let track = StateTrack("session", State.unknown)
    private(set) var state = State.unknown { didSet { track.moved(to: state) } }
    var player: Player?
    var question: MessageOrigin?

    func send(_ message: SessionMessage, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) {
        switch message {
        case .refresh: self.question = .current
        case .refreshed:
          state = .in
          player?.send(.load)
        case .signOut:
          state = .out
          player?.send(.pause)
        }
      }
    }
  }

  final class Player {
    enum State { case idle, playing, paused }
    let track = StateTrack("player", State.idle)
    private(set) var state = State.idle { didSet { track.moved(to: state) } }

    func send(_ message: PlayerMessage, answering question: MessageOrigin? = nil) {
      track.received(message, answering: question) { state = message == .load ? .playing : .paused }
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// The session is refreshed, and then the user signs out.
  private func record() throws {
    let recorder = try HistoryRecorder(at: path)
    let (session, player) = (Session(), Player())
    session.player = player
    recorder.attach(to: session.track, as: "session")
    recorder.attach(to: player.track, as: "player")
    session.send(.refresh)
    session.send(.refreshed, answering: session.question)
    session.send(.signOut)
    recorder.close()
  }

  private var registry: ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("session") { context in
      let session = Session()
      return context.subject(of: session.track) { (message: SessionMessage) in
        session.send(message)
      }
    }
    registry.register("player") { context in
      let player = Player()
      return context.subject(of: player.track) { (message: PlayerMessage) in player.send(message) }
    }
    return registry
  }

  @Test func `what is passed on comes with the message that it was passed on from`() throws {
    try record()
    let scenario = try Scenario(ofHistoryAt: path, session: 1, registry: registry)
    let places = scenario.messages.map { ($0.name.description, $0.place) }
    #expect(places.map(\.0) == ["refresh", "refreshed", "load", "signOut", "pause"])
    #expect(
      places.map(\.1) == [.anytime, .anytime, .within(message: 2), .anytime, .within(message: 4)])
    let exploration = try Explorer(scenario, registry: registry).run()
    #expect(exploration.outcomes.count == 1)
    let ends = exploration.outcomes.flatMap(\.outcomes).map(\.text)
    #expect(ends.count == 2, "\(ends)")
    // If it is refreshed late, it also plays late.
    #expect(ends.contains { $0.contains("out") && $0.contains("paused") }, "\(ends)")
    #expect(ends.contains { $0.contains("in") && $0.contains("playing") }, "\(ends)")
  }

  @Test func `an answer to a message of a controller that is left out is no action of the user's`()
    throws
  {
    let recorder = try HistoryRecorder(at: path)
    let (session, player) = (Session(), Player())
    recorder.attach(to: session.track, as: "session")
    recorder.attach(to: player.track, as: "player")
    session.send(.refresh)
    player.send(.load, answering: session.question)
    player.send(.pause)
    recorder.close()
    let reader = try HistoryReader(path: path)
    #expect(try Scenario(reader, session: 1, registry: registry).doubts == [])
    let alone = try Scenario(reader, session: 1, only: [2], registry: registry)
    let seq = try #require(alone.messages.first).seq
    #expect(alone.doubts == [.unplayedQuestion(controller: 2, seq: seq)])
    #expect(try Explorer(alone, registry: registry).run().verdict == .inconclusive)
  }

  @Test func `what is passed on is as late as the message, and does not come without it`() throws {
    try record()
    let reader = try HistoryReader(path: path)
    #expect(try Verification(reader, session: 1, registry: registry).run().verdict == .reproduced)
    var rows: [EventRow] = []
    let cursor = try reader.events(session: 1)
    while let row = try cursor.next() { rows.append(row) }
    let names = try reader.names()
    func seq(_ name: String) throws -> Int64 {
      try #require(rows.first { names[$0.state] == name && $0.kind == EventKind.received.rawValue })
        .seq
    }
    func played(_ edit: Edit) throws -> (ends: [String?], assumptions: [Assumption]) {
      var options = WhatIf.Options()
      options.edits = [edit]
      let result = try WhatIf(reader, session: 1, registry: registry, options: options).run()
      let moves = result.events.filter { $0.kind == EventKind.moved.rawValue }
      let last = [Int32: EventRow](moves.map { ($0.controller, $0) }) { $1 }
      return (
        last.sorted { $0.key < $1.key }.map { result.names[$0.value.state] }, result.assumptions
      )
    }
    let late = try played(.delay(seq("refreshed"), 5_000_000))
    #expect(late.ends == ["in", "playing"])
    let skipped = try played(.skip(seq("signOut")))
    #expect(skipped.ends == ["in", "playing"])
    #expect(
      skipped.assumptions
        == [.unasked(seq: try seq("pause"), name: "pause", because: try seq("signOut"))])
  }
}
