import Staty
import Testing

/// The names of values in a history.
///
/// They never contain a value's own description.
@Suite struct CaseNameTests {
  private enum Feed {
    case idle
    case ready([String])
    case failed(any Error, code: Int)
  }

  private enum Talking: CustomStringConvertible, CustomReflectable {
    case silent
    case saying(String)

    var description: String { "secret" }
    var customMirror: Mirror { Mirror(self, children: ["secret": "secret"]) }
  }

  private enum Tab: String, StateKey {
    case home = "home-screen"
    case search
  }

  private enum Named: NamedState {
    case one, other
    var stateName: StateName { "named" }
  }

  private struct Secret: CustomStringConvertible {
    let description = "secret"
  }

  private enum Empty {}
  private enum Single { case only }
  private enum Generic<Value> { case some(Value), nothing }
  private struct Failure: Error {}

  private func name<Value>(_ value: Value) -> String { StateName(ofCase: value).description }

  @Test func `a case has its name without its values`() {
    #expect(name(Feed.idle) == "idle")
    #expect(name(Feed.ready(["a secret"])) == "ready")
    #expect(name(Feed.ready([])) == "ready")
    #expect(name(Feed.failed(Failure(), code: 1)) == "failed")
    #expect(name(Single.only) == "only")
    #expect(name(Generic.some("a secret")) == "some")
    #expect(name(Generic<Int>.nothing) == "nothing")
  }

  @Test func `a value's description is in no name`() {
    #expect(name(Talking.silent) == "silent")
    #expect(name(Talking.saying("a secret")) == "saying")
    #expect(name(Secret()) == "Secret")
    #expect(name("a secret") == "String")
    #expect(name(["a secret"]) == "Array")
  }

  @Test func `an optional has the name of its value`() {
    #expect(name(Feed?.some(.ready([]))) == "ready")
    #expect(name(Feed?.none) == "none")
    #expect(name(Feed??.some(.some(.idle))) == "idle")
    #expect(name(String?.some("a secret")) == "String")
    #expect(name(Named?.some(.one)) == "named")
  }

  @Test func `a state that defines its name has it`() {
    #expect(name(Named.one) == "named")
    #expect(name(Named.other) == "named")
    #expect(name(Tab.home) == "home-screen")
    #expect(name(Tab.search) == "search")
  }

  @Test func `the cases of many types are distinguished, however often they are named`() {
    for _ in 0..<3 {
      #expect(name(Generic<Int>.some(1)) == "some")
      #expect(name(Generic<String>.nothing) == "nothing")
      #expect(name(Feed.idle) == "idle")
      #expect(name(Tab.home) == "home-screen")
      #expect(name(Talking.silent) == "silent")
    }
  }

  @Test func `a value behind a protocol has the name of its case`() {
    func named(_ value: any Sendable) -> String { "\(StateName(ofCase: value))" }
    #expect(named(Tab.search) == "search")
    #expect(named("a secret") == "String")
  }
}
