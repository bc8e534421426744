import Foundation
import StatySpecimens
import StatyTesting
import Testing

/// The messages of failed expectations, word for word, and their places.
@Suite struct FailureTests {
  @Test func `another order is shown as a difference, with the history`() throws {
    let checkout = try TestScenario(policy: .immediate)
    let loading = checkout.request("loading", enters: .atOnce)
    let alert = checkout.request("alert")
    let found = failures {
      checkout.expectOrder(
        .entering(loading), .entered(loading), .exiting(loading), .exited(loading),
        .entering(alert))
    }
    #expect(found.map(\.line) == [#line - 4])
    try expectGolden(found.map(\.text).joined(), "order")
  }

  @Test func `a broken rule is shown with the steps that lead to it`() throws {
    let checkout = try TestScenario("staty-2019", in: .withSpecimens)
    checkout.request("loading")
    checkout.request("alert")
    let found = failures { checkout.expectNoFindings() }
    #expect(found.map(\.line) == [#line - 1])
    #expect(try checkout.brokenRules().contains(.exitBeforeEnter))
    try expectGolden(found.map(\.text).joined(), "findings")
  }

  @Test func `a line that cannot happen fails at its place and is left out`() throws {
    let checkout = try TestScenario(policy: .queue)
    let loading = checkout.request("loading")
    let alert = checkout.request("alert")
    let found = failures {
      checkout.complete(alert, .entered)
      checkout.exitByItself(loading)
      checkout.complete(loading, .exited)
      checkout.completeAgain(loading, .entered)
    }
    #expect(found.map(\.line) == Array((#line - 5)...(#line - 2)))
    try expectGolden(found.map(\.text).joined(separator: "\n\n"), "impossible")
    checkout.complete(loading, .entered)
    checkout.expectOrder(.entering(loading), .entered(loading), .exiting(loading))
  }

  @Test func `a warning fails only if warnings are included`() throws {
    let checkout = try TestScenario(policy: .queue)
    let loading = checkout.request("loading", enters: .atOnce, exits: .atOnce)
    checkout.request("alert", inside: .exiting, of: loading)
    checkout.request("content")
    checkout.expectNoFindings()
    let found = failures { checkout.expectNoFindings(warnings: true) }
    #expect(found.first?.text.hasPrefix("warning[reentrant-request]") == true)
  }

  @Test func `a snapshot that differs or is missing fails with advice`() throws {
    let checkout = try TestScenario(policy: .queue)
    checkout.request("loading")
    checkout.request("alert", enters: .atOnce)
    checkout.request("content")
    let found = failures {
      checkout.expectSnapshot("two-alerts")
      checkout.expectSnapshot("nobody-kept-this")
    }
    #expect(found.map(\.line) == [#line - 3, #line - 2])
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let text = found.map(\.text).joined(separator: "\n\n")
    try expectGolden(text.replacingOccurrences(of: folder, with: "FOLDER"), "snapshot")
  }

  /// Shows whatever it is asked for at once, though only one may be shown.
  private final class Hasty {
    let probe: ControllerProbe
    init(_ probe: ControllerProbe) { self.probe = probe }

    func show(_ state: ReplayState) {
      probe.requested(state, named: state.name) { probe.telling(.enter, state) { state.enter() } }
    }
  }

  @Test func `a condition that is in doubt from the beginning fails the test once`() throws {
    var isTrue = false
    let hasty = try TestScenario { context in
      let hasty = Hasty(context.probe)
      return context.subject(makeState: { $0 }) { (state: ReplayState, _) in hasty.show(state) }
        .always("the wind is right") {
          isTrue.toggle()
          return isTrue
        }
    }
    let found = failures {
      hasty.request("loading", enters: .atOnce)
      hasty.request("alert", enters: .atOnce)
      hasty.expectNoFindings()
      #expect((try? hasty.brokenRules()) == [])
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.text.contains("the wind is right") == true, "\(found)")
  }

  @Test func `a call that a controller does not support fails`() throws {
    let checkout = try TestScenario("staty-2019", in: .withSpecimens)
    let loading = checkout.request("loading")
    let found = failures {
      checkout.cancel(loading)
      explore("staty-2019", in: .withSpecimens) { scenario in
        scenario.request("loading")
        scenario.cancel(.all)
      }
    }
    #expect(found.map(\.line) == [#line - 6, #line - 5])
    try expectGolden(found.map(\.text).joined(separator: "\n\n"), "doubt")
  }

  @Test func `a request of a model with a track fails`() throws {
    var registry = ControllerRegistry()
    registry.register("feed") { context in context.subject(of: StateTrack("feed")) }
    let feed = try TestScenario("feed", in: registry)
    let found = failures {
      feed.request("loading")
      explore("feed", in: registry) { $0.request("loading") }
    }
    #expect(found.map(\.line) == [#line - 3, #line - 2])
    #expect(found.allSatisfy { $0.text.contains("For a model with a track") })
  }

  @Test func `names with terminal commands are escaped`() throws {
    let checkout = try TestScenario(policy: .queue)
    checkout.request("a\u{1b}]0;x\u{7}")
    let found = failures { checkout.expectOrder() }
    #expect(found.count == 1 && !found[0].text.contains("\u{1b}"))
  }
}
