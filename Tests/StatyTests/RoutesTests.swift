import Foundation
import Testing

@testable import Staty

private enum Page: CaseIterable, StateKey {
  case list, detail, edit, summary, failure, orphan
}

private enum Payload: StateKey {
  case item(Int)
  case named
}

private enum Talkative: StateKey, CustomStringConvertible {
  case item(Int)
  case labelled(id: Int, text: String)
  case none

  var description: String {
    switch self {
    case .item(let number): "item number \(number)"
    case .labelled(let id, let text): "\(text) \(id)"
    case .none: "no item"
    }
  }
}

private enum Raw: String, CaseIterable, StateKey {
  case first = "the first"
}

@Suite("Routes")
struct RoutesTests {
  private let routes = Routes<Page> {
    Start { To(.list) }
    From(.list) {
      To(.detail).needing(Int.self)
      To(.edit).when("signed in") { false }
    }
    From(.detail) {
      Previous(.list)
      Next(.summary)
    }
    FromAny { To(.failure) }
  }

  @Test("cases are states without being listed, by their names")
  func names() {
    #expect(
      routes.table.states == ["list", "detail", "edit", "summary", "failure", "orphan"])
    #expect(Payload.item(4).stateName == "item")
    #expect(Payload.named.stateName == "named")
    #expect(Raw.first.stateName == "the first")
    #expect("text".stateName == "text")
  }

  @Test("a case has its own name, whatever its description is")
  func describedCases() {
    #expect(Talkative.item(1).stateName == "item")
    #expect(Talkative.item(2).stateName == "item")
    #expect(Talkative.labelled(id: 1, text: "a").stateName == "labelled")
    #expect(Talkative.none.stateName == "none")
  }

  @Test("a declared route is allowed, and each refusal names what is missing")
  func refusals() {
    let table = routes.table
    let all = UInt64.max
    #expect(table.refusal(from: nil, to: "list", answers: all) == nil)
    #expect(table.refusal(from: "list", to: "detail", answers: all) == nil)
    #expect(table.refusal(from: "orphan", to: "failure", answers: 0) != .busy)
    #expect(table.refusal(from: "orphan", to: "failure", answers: 0) == nil)
    #expect(table.refusal(from: nil, to: "failure", answers: 0) == nil)
    func text(_ from: StateName?, _ to: StateName, _ answers: UInt64) -> String? {
      table.refusal(from: from, to: to, answers: answers)?.description(for: to)
    }
    #expect(text("detail", "edit", all) == "no route leads from detail to edit")
    #expect(text(nil, "detail", all) == "no route leads from the beginning to detail")
    #expect(text("list", "orphan", all) == "no route leads from list to orphan")
    #expect(
      text("list", "edit", 0) == "the route from list to edit is closed: not signed in")
    #expect(
      text("list", "detail", 0)
        == "the route from list to detail needs a value of type Int")
    #expect(
      Refusal.objection(.inUseElsewhere).description(for: "a")
        == "the state object is in use by another controller; give each controller its own")
  }

  @Test("guards and contexts are checked when a request is made")
  func answers() {
    var isOpen = false
    let routes = Routes<Page> {
      Start { To(.list) }
      From(.list) { To(.edit).when("open") { isOpen } }
      From(.detail) {
        To(.edit).needing(String.self).when("long", given: { "\($0 ?? "")".count > 3 })
      }
    }
    func refusal(_ from: StateName, _ context: Any?) -> Refusal? {
      routes.table.refusal(
        from: from, to: "edit", answers: routes.answers(to: "edit", context: context))
    }
    #expect(refusal("list", nil) == .guarded(from: "list", guard: "open"))
    isOpen = true
    #expect(refusal("list", nil) == nil)
    #expect(refusal("detail", "abc") == .guarded(from: "detail", guard: "long"))
    #expect(refusal("detail", 12345) == .context(from: "detail", needs: "String"))
    #expect(refusal("detail", "abcd") == nil)
  }

  @Test("previous and next lead where the table says for a state")
  func contextual() {
    #expect(routes.destination(of: "previous", from: "detail", context: nil) == "list")
    #expect(routes.destination(of: "next", from: "detail", context: nil) == "summary")
    #expect(routes.destination(of: "previous", from: "list", context: nil) == nil)
  }

  @Test("without a declared start, any state may be the first")
  func noStart() {
    let routes = Routes<String>(states: ["a", "b"]) {
      From("a") { To("c") }
      if Bool(true) { From("c") { for end in ["d", "e"] { To(end) } } }
    }
    for state: StateName in ["a", "b", "c", "d", "e"] {
      #expect(routes.table.refusal(from: nil, to: state, answers: 0) == nil)
    }
    #expect(routes.table.refusal(from: "a", to: "d", answers: 0) == .noRoute(from: "a"))
  }

  @Test("a live controller rejects an undeclared transition and keeps its state")
  func live() {
    let controller = StateController<Screen>(routes: routes)
    let screen = Screen()
    let log = EventLog()
    controller.events.add(log)
    controller.bind(to: screen)
    controller.transition(to: ScriptedState("list"))
    controller.transition(to: ScriptedState("summary"))
    #expect(screen.lines == ["+list"])
    #expect(
      log.events.last?.detail == .discard(.rejected(.noRoute(from: "list"))))
  }

  @Test("a transition that has happened is allowed without a route, and the next one is not")
  func past() {
    let routes = Routes<String>(states: ["a", "b"]) {
      Start { To("a") }
      From("a") { To("b") }
    }
    let controller = RoutedController<String, Screen>(routes: routes) { key, _ in
      ScriptedState(StateName(key))
    }
    let (screen, log) = (Screen(), EventLog())
    controller.events.add(log)
    controller.states.bind(to: screen)
    controller.show("a")
    controller.show("b")
    controller.follow(to: "a")
    #expect(screen.lines.last == "+a")
    controller.show("a")
    #expect(log.events.last?.detail == .discard(.rejected(.noRoute(from: "a"))))
    controller.show("b")
    controller.showAnew("b")
    #expect(log.events.last?.detail == .discard(.rejected(.noRoute(from: "b"))))
    controller.showAnew("a")
    #expect(controller.currentKey == "a")
  }

  @Test(
    "while nothing is shown, requests are checked against the routes from the beginning")
  func anew() {
    let table = RouteTable([
      Route(from: .beginning, to: "a"), Route(from: .state("a"), to: "b"),
    ])
    #expect(table.refusal(from: "b", to: "a", answers: RouteTable.anew) == nil)
    #expect(table.refusal(from: "b", to: "a", answers: 0) == .noRoute(from: "b"))
    #expect(table.refusal(from: "a", to: "b", answers: RouteTable.anew) == .noRoute(from: nil))
    #expect(!RouteTable.isAnew(RouteTable.pastRoutes))
    #expect(!RouteTable.isAnew(.max))
    // No bit of an answer is the flag.
    for place in 0..<64 {
      let bits =
        RouteTable.bit(.guarding, of: place) | RouteTable.bit(.context, of: place)
      #expect(!RouteTable.isAnew(bits))
    }
  }

  @Test("a request is checked against the routes again if the one before it was cancelled")
  func recheck() {
    let table = RouteTable([
      Route(from: .beginning, to: "a"), Route(from: .state("a"), to: "b"),
      Route(from: .state("b"), to: "c"), Route(from: .state("a"), to: "d"),
    ])
    var policy = RoutedPolicy(QueuePolicy(), routes: table)
    var commands = CommandQueue()
    func tell(_ signal: Signal) -> [Command] {
      _ = policy.receive(signal, &commands)
      var told: [Command] = []
      while let command = commands.popFirst() { told.append(command) }
      return told
    }
    func request(_ visit: UInt32, _ state: StateName) -> Request {
      Request(visit: VisitNumber(visit), state: state)
    }
    #expect(tell(.requested(request(1, "a"))) == [.enter(request(1, "a"))])
    #expect(tell(.requested(request(2, "b"))) == [])
    #expect(tell(.requested(request(3, "c"))) == [])
    #expect(tell(.cancelled(.visit(VisitNumber(2)))) == [.discard(VisitNumber(2), .cancelled)])
    #expect(tell(.entered(VisitNumber(1))) == [.exit(VisitNumber(1))])
    #expect(
      tell(.exited(VisitNumber(1)))
        == [.discard(VisitNumber(3), .rejected(.noRoute(from: "a")))])
    #expect(policy.current?.state == "a")
    #expect(policy.phase == .exited)
    #expect(tell(.requested(request(4, "d"))) == [.enter(request(4, "d"))])
  }

  @Test(
    "too many conditional routes to one state trap with a message that says what to do",
    .enabled(if: isDebugBuild))
  func tooMany() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RouteTable(
        (0..<31).map { Route(from: .state(StateName("s\($0)")), to: "end", guarding: "open") })
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(said.contains("More than 30 routes with conditions lead to end"))
    #expect(said.contains("declared with FromAny"))
  }

  @Test("in a recording, conditions without a bit are never satisfied")
  func recordedTooMany() {
    let table = RouteTable(
      recorded: (0..<40).map {
        Route(from: .state(StateName("s\($0)")), to: "end", guarding: "open")
      }, states: [])
    let allYes: UInt64 = RouteTable.anew - 1
    #expect(table.refusal(from: "s29", to: "end", answers: allYes) == nil)
    #expect(
      table.refusal(from: "s30", to: "end", answers: allYes)
        == .guarded(from: "s30", guard: "open"))
    #expect(table.states.count == 41)
  }

  @Test("states are listed in the order of their names in the table, however many there are")
  func manyStates() {
    let names = (0..<40_000).map { StateName("many\($0)") }
    let table = RouteTable(
      zip(names, names.dropFirst()).map { Route(from: .state($0), to: $1) }, states: [names[7]])
    #expect(table.states == [names[7]] + names[..<7] + names[8...])
  }
}

@Suite("Drawings of routes")
struct RouteDrawingTests {
  private let table = RouteTable(
    [
      Route(from: .beginning, to: "list"),
      Route(
        from: .state("list"), to: "detail", asked: "next", guarding: "signed in", needs: "Item"),
      Route(from: .anywhere, to: "failure"),
      Route(from: .state("island"), to: "island"),
    ])

  private static let hostileName =
    "a\"b\\c\n\u{0}\u{1B}[31m-->]; x\r\n\"\u{301}<b>#quot;%%{`"

  @Test("DOT shows states, conditions and unreachable states")
  func dot() {
    #expect(
      table.dot == """
        digraph routes {
          rankdir=LR;
          node [shape=box, style=rounded];
          s0 [label="list"];
          s1 [label="detail"];
          s2 [label="failure"];
          s3 [label="island", style="rounded,dashed", color=gray];
          start [shape=point];
          anywhere [label="*", shape=circle];
          start -> s0;
          s0 -> s1 [label="next (Item) [signed in]"];
          anywhere -> s2;
          s3 -> s3;
        }

        """)
  }

  @Test("Mermaid shows the same")
  func mermaid() {
    #expect(
      table.mermaid == """
        stateDiagram-v2
          state "list" as s0
          state "detail" as s1
          state "failure" as s2
          state "island" as s3
          state "*" as anywhere
          [*] --> s0
          s0 --> s1 : next (Item) [signed in]
          anywhere --> s2
          s3 --> s3
          classDef unreached stroke-dasharray: 4 4, color: gray
          class s3 unreached

        """)
  }

  @Test("no name can break out of its quotes")
  func hostile() throws {
    let name = StateName(Self.hostileName)
    let table = RouteTable([
      Route(from: .beginning, to: name), Route(from: .state(name), to: "b", guarding: name),
    ])
    let label =
      #""a\"b\\c"# + "\u{FFFD}\u{FFFD}\u{FFFD}[31m-->]; x\u{FFFD}\u{FFFD}"
      + "\\\"\u{301}<b>#quot;%%{`\""
    // Compared by scalars, because in Swift a quote with an accent is another character.
    let dot = Array(table.dot.unicodeScalars)
    let expected = Array("  s0 [label=\(label)];\n".unicodeScalars)
    #expect(dot.indices.contains { dot[$0...].starts(with: expected) })
    let lines = table.mermaid.unicodeScalars.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(
      String(lines[1])
        == "  state \"a#34;b#92;c#65533;#65533;#65533;[31m--#62;]#59; x#65533;#65533;"
        + "#34;#769;#60;b#62;#35;quot#59;#37;#37;#123;#96;\" as s0")
    try check(table.dot)
    try check(self.table.dot)
  }

  /// Checks the text with Graphviz, if that is installed.
  private func check(_ dot: String) throws {
    #if os(macOS) || os(Linux)
      let program = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"].first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
      guard let program else { return }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["-Tcanon"]
      let input = Pipe()
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: Data(dot.utf8))
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    #endif
  }
}
