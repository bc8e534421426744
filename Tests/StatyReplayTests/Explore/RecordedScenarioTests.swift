import Chance
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatyTesting
import Testing

/// What a recording says may happen again.
@Suite struct RecordedScenarioTests {
  private func scenario(_ history: RecordedHistory) throws -> Scenario {
    try Scenario(ofHistoryAt: history.path, session: 1)
  }

  @Test func `a recording names its requests in their order, with what their states did`() throws {
    let scenario = try scenario(RecordedHistory(ClockedStory.three))
    #expect(scenario.controllers.map(\.kind) == ["queue"])
    #expect(scenario.requests.map(\.id) == [1, 2, 3])
    #expect(scenario.requests.map(\.state) == ["loading", "content", "alert"])
    // One line of code asked for them all.
    #expect(Set(scenario.requests.map(\.source)).count == 1)
    #expect(scenario.requests.map(\.enters) == [.later, .later, .later])
    #expect(scenario.requests.map(\.exitsByItself) == [false, false, false])
    #expect(scenario.doubts == [])
  }

  @Test func `requests keep their order where they come from one place that is known`() throws {
    func sources(_ ask: (ControllerProbe, AnyObject) -> Void) throws -> Int {
      let history = try RecordedHistory()
      let recorder = try history.recorder()
      let probe = ControllerProbe("desk")
      recorder.attach(to: probe, as: "desk")
      let states = [RandomScene.Screen(), RandomScene.Screen()]
      for state in states { ask(probe, state) }
      recorder.close()
      let requests = try Scenario(
        ofHistoryAt: history.path, session: 1, registry: .with(Desk.self)
      ).requests
      #expect(requests.count == 2)
      return Set(requests.map(\.source)).count
    }
    // A line in the controller itself does not identify the source of a request.
    #expect(try sources { $0.requested($1, named: "page") } == 2)
    #expect(try sources { $0.requested($1, named: "page", file: #fileID, line: #line) } == 1)
  }

  @Test func `a request by a state is possible once that state has entered`() throws {
    let scenario = try scenario(RecordedHistory(ClockedStory.asking))
    #expect(scenario.requests.map(\.origin) == [nil, 1])
    #expect(scenario.requests.map(\.place) == [.anytime, .after(.entered, 1)])
  }

  @Test func `of a state that was silent in its turn it is not known whether it answers`() throws {
    let scenario = try scenario(RecordedHistory(ClockedStory.silent))
    #expect(scenario.requests.first?.enters == .perhaps)
  }

  @Test func `a state whose recording ended before it could answer would have answered`() throws {
    func cut(after time: Duration) throws -> Scenario {
      try scenario(
        RecordedHistory { controller, clock in
          let (first, second) = (
            ClockedStory.Paced("loading", clock, stays: true), ClockedStory.Paced("alert", clock)
          )
          controller.transition(to: first)
          clock.advance(by: .seconds(1))
          controller.transition(to: second)
          clock.advance(by: time)
          controller.transition(to: ClockedStory.Paced("empty", clock))
        })
    }
    let short = try cut(after: .milliseconds(1_999))
    #expect(short.requests.map(\.exits) == [.later, .later, .later])
    #expect(!short.mayBeSilent)
    #expect(try Explorer(short).run().isClean)
    let long = try cut(after: .seconds(2))
    #expect(long.requests.map(\.exits) == [.perhaps, .later, .later])
    #expect(long.mayBeSilent)
    // No recording shows the reason of a missing answer: it is not counted against a right
    // controller.
    #expect(try Explorer(long).run().isClean)
  }

  @Test(arguments: 0..<6)
  func `a random recording's scenario can be played to an end`(_ place: Int) throws {
    let (name, policy) = VerificationTests.policies[place]
    let seed = testSeed
    for run in 0..<10 {
      let history = try RecordedHistory()
      let recorder = try history.recorder()
      let scene = RandomScene(
        seed: seed &+ UInt64(run), policies: [policy, .queue], recorder: recorder, name: "\(run)")
      recorder.close()
      withExtendedLifetime(scene) {}
      var random = SeededRandom(seed: seed &+ UInt64(run))
      let scenario = try scenario(history)
      let played = try RandomScenario.play(scenario, &random)
      #expect(played.doubts == [], "\(name), seed \(seed &+ UInt64(run))")
      // Some scenes have no request; a visit that is shown when recording begins may stay.
      #expect(
        played.schedule.count > 0 || scenario.requests.allSatisfy { $0.visit != nil },
        "\(name), seed \(seed &+ UInt64(run))")
    }
    print("\(name): 10 recordings from seed \(seed)")
  }
}
