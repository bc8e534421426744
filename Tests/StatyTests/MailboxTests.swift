import Staty
import Synchronization
import Testing

@Suite("Completions from other isolations")
struct MailboxTests {
  @MainActor
  @Test("from another thread are handled on the main actor")
  func mainActor() async {
    let scene = Scene()
    let loading = ScriptedState("loading", enters: .byHand)
    scene.controller.transition(to: loading)
    let visit = loading.visit!.sendable
    let events = scene.controller.events.stream()
    scene.log.onEvent = { _ in MainActor.assertIsolated() }
    Task.detached { visit.entered() }
    for await event in events where event.kind == .entered { break }
    #expect(scene.controller.phase == .entered)
  }

  private actor Owner {
    // Created in a method, because a property's initial value does not know the actor.
    private var made: Scene?
    private let loading = ScriptedState("loading", enters: .byHand)

    func visit() -> SendableVisit {
      let scene = Scene()
      made = scene
      scene.log.onEvent = { [weak self] _ in self?.assertIsolated() }
      scene.controller.transition(to: loading)
      return loading.visit!.sendable
    }

    var phase: Phase? { made?.controller.phase }
  }

  @Test("are handled on an actor of the app")
  func ownActor() async {
    let owner = Owner()
    let visit = await owner.visit()
    visit.entered()
    while await owner.phase == .entering { await Task.yield() }
    #expect(await owner.phase == .entered)
    visit.exited()
    while await owner.phase == .entered { await Task.yield() }
    #expect(await owner.phase == .exited)
  }

  @MainActor
  private final class Model {
    // The compiler passes `nil` here, because no isolation is known.
    let controller = StateController<Screen>()
  }

  @MainActor
  @Test("are handled where the controller was bound, if it is a property's initial value")
  func initialValue() async {
    let model = Model()
    let screen = Screen()
    let loading = ScriptedState("loading", enters: .byHand)
    model.controller.bind(to: screen)
    model.controller.transition(to: loading)
    let visit = loading.visit!.sendable
    await Task.detached { visit.entered() }.value
    // Letters are read in a task of the main actor. It runs after a few yields of this one.
    for _ in 0..<1000 where model.controller.phase == .entering { await Task.yield() }
    #expect(model.controller.phase == .entered)
  }

  @Test("wait outside of an actor until the owner collects them")
  func byHand() {
    let scene = Scene(isolation: nil)
    let rung = Rings()
    scene.controller.onMail { rung.count.add(1, ordering: .relaxed) }
    let loading = ScriptedState("loading", enters: .byHand, exits: .byHand)
    scene.controller.transition(to: loading)
    loading.visit?.sendable.entered()
    loading.visit?.sendable.exited()
    #expect(rung.count.load(ordering: .relaxed) == 1)
    #expect(scene.controller.phase == .entering)
    scene.controller.collectMail()
    #expect(scene.controller.phase == .exited)
    #expect(scene.log.lines.suffix(2) == ["entered loading", "exited loading"])
    loading.visit?.sendable.exited()
    #expect(rung.count.load(ordering: .relaxed) == 2)
    scene.controller.collectMail()
    #expect(scene.log.lines.last == "stray loading exited")
  }

  @Test("without `sendable` stop a debug build", .enabled(if: isDebugBuild))
  func withoutSendable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lender = Lender()
      await lender.lend().state.saysEntered()
      withExtendedLifetime(lender) {}
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(said.contains("Incorrect actor executor assumption"))
  }

  /// Takes a state with its visit out of its actor, which the compiler does not allow without this.
  private struct Smuggled: @unchecked Sendable {
    let state: ScriptedState
  }

  private actor Lender {
    private var made: Scene?

    func lend() -> Smuggled {
      let (scene, loading) = (Scene(), ScriptedState("loading", enters: .byHand))
      made = scene
      scene.controller.transition(to: loading)
      return Smuggled(state: loading)
    }
  }

  @Test("that arrived before `onMail` was called are reported then")
  func lateBell() {
    let scene = Scene(isolation: nil)
    let loading = ScriptedState("loading", enters: .byHand)
    scene.controller.transition(to: loading)
    loading.visit?.sendable.entered()
    let rung = Rings()
    scene.controller.onMail { rung.count.add(1, ordering: .relaxed) }
    #expect(rung.count.load(ordering: .relaxed) == 1)
  }

  @Test("are handled before a later request or cancellation")
  func beforeRequests() {
    let scene = Scene(isolation: nil)
    let loading = ScriptedState("loading", enters: .byHand)
    scene.controller.transition(to: loading)
    loading.visit?.sendable.entered()
    scene.controller.transition(to: ScriptedState("content"))
    #expect(
      scene.log.lines.prefix(4) == [
        "enqueued loading", "entering loading", "entered loading", "enqueued content",
      ])
  }

  @Test("do not disturb the numbers of the request that collects them")
  func numbers() throws {
    let scene = Scene(isolation: nil)
    let loading = ScriptedState("loading", enters: .byHand)
    let nested = ScriptedState("nested")
    let content = ScriptedState("content")
    scene.controller.transition(to: loading)
    let controller = scene.controller
    scene.log.onEvent = {
      if $0.kind == .entered, $0.state == "loading" {
        controller.transition(to: nested)
      }
    }
    loading.visit?.sendable.entered()
    let visit = scene.controller.transition(to: content)
    #expect(visit == VisitNumber(3))
    let instances = scene.log.events.filter { $0.kind == .enqueued }.map(\.instance)
    #expect(instances == [VisitNumber(1), VisitNumber(2), VisitNumber(3)])
  }

  @Test("all arrive once, however many threads complete")
  func threads() async {
    let scene = Scene(policy: .queue, isolation: nil)
    for _ in 0..<200 {
      let loading = ScriptedState("loading", enters: .byHand)
      scene.controller.transition(to: loading)
      let visit = loading.visit!.sendable
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { visit.entered() } }
      }
      scene.controller.collectMail()
    }
    #expect(scene.log.count(.entered) == 200)
    #expect(scene.log.count(.stray) == 600)
  }

  private final class Rings: Sendable {
    let count = Atomic(0)
  }
}

@Suite("Async states")
struct AsyncStateTests {
  @MainActor
  @Test("enter and exit when their functions return, on their controller's actor")
  func wholeWay() async {
    let scene = Scene()
    let loading = AsyncState<Screen>("loading") { screen in
      screen.lines.append("coming")
      await Task.yield()
      MainActor.assertIsolated()
      screen.lines.append("in")
    } exit: { screen in
      await Task.yield()
      screen.lines.append("out")
    }
    let events = scene.controller.events.stream()
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.controller.phase == .entering)
    for await event in events where event.kind == .entered && event.state == "content" { break }
    #expect(scene.screen.lines == ["coming", "in", "out", "+content"])
  }

  @Test("trap if they are created on another actor than the controller's")
  func elsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let state = await Elsewhere().smuggled.state
      let screen = Screen()
      let controller = StateController<Screen>()
      controller.bind(to: screen)
      controller.transition(to: state)
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    // An optimized build traps without a word.
    if isDebugBuild { #expect(said.contains("Incorrect actor executor assumption")) }
  }

  /// Takes an async state out of its actor, which the compiler does not allow without this.
  private struct Smuggled: @unchecked Sendable {
    let state: AsyncState<Screen>
  }

  private actor Elsewhere {
    var smuggled: Smuggled {
      Smuggled(
        state: AsyncState("loading") { _ in
        } exit: { _ in
        })
    }
  }
}
