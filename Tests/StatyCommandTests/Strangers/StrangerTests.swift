import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatyRecorder
import StatyReport
import StatyRules
import Testing

@testable import StatyCommand

/// Six classes of strangers: what is said of each with its fault, and of each without.
@Suite struct StrangerTests {
  private let place: Place

  init() throws { place = try Place() }

  /// Records a use, and gives what reads it.
  private func record(
    _ stranger: Stranger, _ use: (Stranger.Use) -> Void, isRight: Bool = false,
    as file: String = "history.sqlite"
  ) throws -> HistoryReader {
    try stranger.record(use, isRight: isRight, to: place.path(file))
    return try HistoryReader(path: place.path(file))
  }

  private func findings(_ reader: HistoryReader) throws -> [Finding] {
    try HistoryCheck(reader).session(1).findings
  }

  private func explore(
    _ reader: HistoryReader, with kind: String? = nil
  ) throws -> Exploration {
    let scenario = try Scenario(
      reader, session: 1, registry: .strangers, with: Replacement(all: kind))
    return try Explorer(scenario, registry: .strangers).run()
  }

  @Test(arguments: Stranger.all)
  func `the right rule names the fault, and nothing else is said`(_ one: Stranger) throws {
    let reader = try record(one, one.faulty)
    let names = try reader.names()
    let found = try findings(reader)
    #expect(found.map(\.code) == [one.rule], "\(found.map { $0.detail { names[$0] } })")
    #expect(found.first?.detail { names[$0] } == one.sentence)
  }

  @Test(arguments: Stranger.all)
  func `a fixed class has no finding`(_ one: Stranger) throws {
    for (place, use) in [one.faulty, one.clean].enumerated() {
      let reader = try record(one, use, isRight: true, as: "\(place).sqlite")
      #expect(try findings(reader) == [])
      let fixed = Replacement(all: one.fixed)
      let same = try Verification(reader, session: 1, registry: .strangers, with: fixed).run()
      #expect(same.verdict == .reproduced, "\(same)")
    }
  }

  @Test(arguments: Stranger.all)
  func `a recording of the fault is reproduced, and a fixed class diverges from it`(
    _ one: Stranger
  ) throws {
    let reader = try record(one, one.faulty)
    let same = try Verification(reader, session: 1, registry: .strangers).run()
    #expect(same.verdict == .reproduced, "\(same)")
    let other = try Verification(
      reader, session: 1, registry: .strangers, with: Replacement(all: one.fixed)
    ).run()
    #expect(other.verdict == .diverged, "\(other)")
  }

  @Test(arguments: Stranger.all)
  func `exploring finds the fault from a recording that does not show it`(_ one: Stranger) throws {
    let reader = try record(one, one.clean)
    #expect(try findings(reader) == [])
    let explored = try explore(reader)
    #expect(explored.verdict == .broken, "\(explored.doubts)")
    #expect(explored.orders.first?.codes.contains(one.rule) == true, "\(explored.orders)")
    #expect(explored.isShortest)
    let fixed = try explore(reader, with: one.fixed)
    #expect(fixed.isClean, "\(fixed.orders) \(fixed.doubts)")
    #expect(fixed.verdict == (one.differs == nil ? .same : .differs))
    let questions = fixed.outcomes.map { OutcomeWords($0).question }.filter { !$0.isEmpty }
    #expect(questions == [one.differs].compactMap(\.self))
  }

  @Test(arguments: Stranger.all)
  func `what is left is the least that was stated`(_ one: Stranger) throws {
    let reader = try record(one, one.faulty)
    let finding = try #require(try findings(reader).first)
    let least = try Minimizer(reader, session: 1, finding: finding, registry: .strangers).run()
    #expect(least.scenario.requests.map(\.state) == one.leastRequests)
    #expect(least.scenario.cancels.count == one.leastCancels)
    #expect(least.proof.requests == .everyOrder, "\(least.doubts)")
    #expect(least.proof.order == .shortest, "\(least.doubts)")
  }

  @Test(arguments: Stranger.all)
  func `a written test is red with the fault and green without`(_ one: Stranger) throws {
    let reader = try record(one, one.faulty)
    let finding = try #require(try findings(reader).first)
    // Both are tried before a word is written.
    let writer = try TestWriter(
      reader, session: 1, about: finding, registry: .strangers, right: one.fixed, .init())
    #expect(writer.code == one.rule.rawValue)
    #expect(writer.text.contains("discipline: .") == (one.discipline != .inOrder))
  }

  @Test(arguments: Stranger.harder)
  func `what replays as it was recorded can be written as a test`(_ one: Stranger) throws {
    let reader = try record(one, one.faulty)
    let finding = try #require(try findings(reader).first { $0.code == one.rule })
    let same = try Verification(reader, session: 1, registry: .strangers).run()
    #expect(same.verdict == .reproduced, "\(same)")
    let writer = try TestWriter(
      reader, session: 1, about: finding, registry: .strangers, right: one.fixed, .init())
    #expect(writer.code == one.rule.rawValue)
  }

  @Test(arguments: Stranger.all + Stranger.harder)
  func `a test takes no policy for right that is not named, and the fixed class passes`(
    _ one: Stranger
  ) throws {
    let reader = try record(one, one.faulty)
    let finding = try #require(try findings(reader).first { $0.code == one.rule })
    let writer = try TestWriter(
      reader, session: 1, about: finding, registry: .strangers, right: nil, .init())
    let kind = try reader.controllers(session: 1)[0].kind
    #expect(try writer.brokenRules(with: kind, .strangers).contains(one.rule))
    #expect(try writer.brokenRules(with: one.fixed, .strangers) == [])
    #expect(!writer.text.contains("expectOrder") && writer.text.contains("expectNoFindings"))
    let run = Capture(["test", "--registry", ".shop", place.path()], registry: .strangers)
    #expect(run.status == .done, "\(run.transcript)")
  }

  @Test
  func `a class that lacks what the app holds for it parts from its recording, and that is said`()
    throws
  {
    let host = Host()
    let clock = ManualClock()
    let board = HostedBoard(ControllerProbe("hosted"), isRight: true, timer: clock)
    board.host = host
    let recorder = try HistoryRecorder(at: place.path())
    recorder.attach(to: board, as: "board")
    let use = Stranger.Use(board: board, clock: clock)
    use.show(use.a, after: nil)
    use.show(use.b)
    use.show(use.c)
    use.change(use.a, to: use.b)
    use.change(use.b, to: use.c)
    recorder.close()
    withExtendedLifetime(host) {}
    var registry = ControllerRegistry()
    registry.register("hosted") { context in
      let board = HostedBoard(context.probe, isRight: true, timer: context.scheduler)
      let passing = Host()
      board.host = passing
      return context.subject(makeState: ScriptedSheet.init) { sheet, _ in
        board.show(sheet, urgency: 0)
      }
    }
    for verb in [["replay", "--once"], ["explore"]] {
      let run = Capture(verb + [place.path()], width: 400, registry: registry)
      #expect(run.status == .broken, "\(run.transcript)")
      #expect(run.out.contains("such as a delegate that it holds weakly"), "\(run.transcript)")
    }
  }

  @Test func `without a word a right class is accused, and told how to say what it does`() throws {
    var silent = try #require(Stranger.all.first)
    silent.discipline = .inOrder
    let reader = try record(silent, silent.faulty, isRight: true)
    #expect(try findings(reader).map(\.code) == [.outOfOrder])
    let run = Capture(["check", place.path()], width: 200, registry: .strangers)
    #expect(
      run.out.contains(
        "   = 'board' is held to one state at a time, in the order of the requests. If it is meant to do "
          + "otherwise, say so with 'discipline:' where its probe is made: .byUrgency, .atOnce or .stack."
      ),
      "\(run.transcript)")
  }
}
