import Foundation
import StatyRecorder
import StatyTesting
import Testing

/// The guide shows code that is compiled here, and what it says happens.
@MainActor @Suite struct GuideTests {
  @Test func `what the guide shows is what is compiled`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appending(path: "GuideAccount.swift"), encoding: .utf8)
    let guide = try String(
      contentsOf: folder.appending(
        path: "../../Sources/StatyTesting/Documentation.docc/ReproducingARecording.md"),
      encoding: .utf8)
    #expect(guide.contains("```swift\n\(source)```\n"))
  }

  @Test func `signing out is not final`() {
    withKnownIssue {
      expectOneOutcome { world in
        let account = Account(server: FakeServer(world: world))
        world.user("refresh") { await account.refresh() }
        world.user("sign out") { account.signOut() }
        world.shows { account.state }
      }
    } matching: {
      $0.comments.contains {
        $0.rawValue.contains(
          "2. signedIn: if the answer of 'token' to 'refresh' is late: behind 'sign out'.")
      }
    }
  }

  @Test func `the recording of a phone is reproduced`() async throws {
    /// Answers when it is told to, and says when it was asked.
    struct SlowServer: TokenServer {
      let asked = AsyncStream.makeStream(of: Void.self)
      let answers = AsyncStream.makeStream(of: String.self)

      func token() async -> String {
        asked.continuation.yield()
        for await answer in answers.stream { return answer }
        return ""
      }
    }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-\(UUID().uuidString).sqlite"
    ).path
    let recorder = try HistoryRecorder(at: path)
    let server = SlowServer()
    let account = Account(server: server)
    recorder.attach(to: account.track, as: "account")
    let refresh = Task { await account.refresh() }
    for await _ in server.asked.stream { break }
    account.signOut()
    server.answers.continuation.yield("abc")
    await refresh.value
    await recorder.close()
    var registry = ControllerRegistry()
    registry.register(world: "account") { world in
      let account = Account(server: FakeServer(world: world))
      return world.subject(calls: [
        "refresh": { await account.refresh() },
        "sign out": { account.signOut() },
      ])
    }
    let order = try reproduce(path, in: registry)
    #expect(
      order.conditions == ["the answer of 'token' to 'refresh' is late: behind 'sign out'"],
      "\(order)")
  }

  @Test func `a track of what UIKit shows is no model's`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = try HistoryRecorder(at: path)
    let (routes, shown) = (StackTrack("path"), StackTrack(shown: "path shown"))
    recorder.attach(to: routes, as: "path")
    recorder.attach(to: shown, as: "path shown")
    routes.received("open") { routes.moved(to: ["detail"] as [StateName]) }
    shown.moved(to: ["detail"] as [StateName])
    recorder.close()
    func reproduced(_ tracks: [String]) throws -> ReproducedOrder {
      var registry = ControllerRegistry()
      func make(_ world: World) -> WorldSubject {
        let routes = StackTrack("path")
        return world.subject(calls: [
          "open": { routes.received("open") { routes.moved(to: ["detail"] as [StateName]) } }
        ])
      }
      if tracks.count == 1 {
        registry.register(world: tracks[0], make: make)
      } else {
        registry.register(world: tracks[0], tracks[1], make: make)
      }
      return try reproduce(path, in: registry)
    }
    guard case .reproduced = try reproduced(["path"]).verdict else {
      Issue.record("not reproduced")
      return
    }
    let error = #expect(throws: (any Error).self) { try reproduced(["path", "path shown"]) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("'path shown' records what UIKit shows"))
  }
}
