import Staty
import Testing

@Suite("Causes and origins")
struct CauseTests {
  @Test("a state that enters at once is caused by its request")
  func entering() throws {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("a", enters: .byHand))
    let enqueued = try #require(scene.log.first(.enqueued))
    #expect(enqueued.cause == 0)
    #expect(enqueued.request?.origin == nil)
    #expect(enqueued.request?.site?.description.hasPrefix("StatyTests/CauseTests.swift:") == true)
    #expect(scene.log.first(.entering)?.cause == enqueued.number)
  }

  @Test("a request inside enter has the entering event as its cause and the visit as its origin")
  func requestInside() throws {
    let scene = Scene()
    let controller = scene.controller
    let next = ScriptedState("next")
    let visit = controller.transition(
      to: ScriptedState(
        "a",
        coming: {
          controller.transition(to: next)
          $0.entered()
        }, leaving: { $0.exited() }))
    let asked = try #require(scene.log.first(.enqueued, "next"))
    #expect(asked.cause == scene.log.first(.entering, "a")?.number)
    #expect(asked.request?.origin == visit)
    #expect(scene.log.first(.entered, "a")?.cause == scene.log.first(.entering, "a")?.number)
    #expect(scene.log.first(.exiting, "a")?.cause == scene.log.first(.entered, "a")?.number)
  }

  @Test("an exit that is reported inside exit is caused by the exiting, and causes the next enter")
  func exitInside() throws {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("a"))
    scene.controller.transition(to: ScriptedState("b"))
    let exited = try #require(scene.log.first(.exited, "a"))
    #expect(exited.cause == scene.log.first(.exiting, "a")?.number)
    #expect(scene.log.first(.exiting, "a")?.cause == scene.log.first(.enqueued, "b")?.number)
    #expect(scene.log.first(.entering, "b")?.cause == exited.number)
  }

  @Test("an exit that is reported later has no cause")
  func exitLater() {
    let scene = Scene()
    let a = ScriptedState("a", exits: .byHand)
    scene.controller.transition(to: a)
    scene.controller.transition(to: ScriptedState("b"))
    a.saysExited()
    #expect(scene.log.first(.exited)?.cause == 0)
  }

  @Test("an observer's request has the observed event as its cause, and no visit as its origin")
  func observer() throws {
    let scene = Scene()
    let controller = scene.controller
    scene.log.onEvent = {
      if $0.kind == .entered, $0.state == "a" { controller.transition(to: ScriptedState("b")) }
    }
    controller.transition(to: ScriptedState("a"))
    let asked = try #require(scene.log.first(.enqueued, "b"))
    #expect(asked.cause == scene.log.first(.entered, "a")?.number)
    #expect(asked.request?.origin == nil)
  }

  @Test("an explicit origin is recorded, even for a later request")
  func saidOrigin() {
    let scene = Scene()
    let a = ScriptedState("a")
    let visit = scene.controller.transition(to: a)
    scene.controller.transition(to: ScriptedState("b"), origin: a.visit)
    #expect(scene.log.first(.enqueued, "b")?.request?.origin == visit)
  }

  @Test(
    "with shared numbers, causes can be in other controllers; without, they cannot",
    arguments: [
      true, false,
    ])
  func across(isShared: Bool) throws {
    let one = Scene()
    let other = Scene()
    let numbers = Numbering()
    if isShared {
      #expect(one.controller.events.share(numbers))
      #expect(other.controller.events.share(numbers))
      #expect(!one.controller.events.share(Numbering()))
    }
    let inner = other.controller
    one.controller.transition(
      to: ScriptedState(
        "outer",
        coming: {
          inner.transition(to: ScriptedState("inner"))
          $0.entered()
        }, leaving: { $0.exited() }))
    let entering = try #require(one.log.first(.entering))
    let asked = try #require(other.log.first(.enqueued))
    #expect(asked.cause == (isShared ? entering.number : 0))
    #expect(one.log.first(.entered)?.cause == entering.number)
    if isShared {
      #expect((one.log.numbers + other.log.numbers).sorted() == Array(1...6))
    }
    one.controller.events.unshare(numbers)
    one.log.forget()
    one.controller.transition(to: ScriptedState("own"))
    #expect(one.log.numbers[0] < 100)
  }

  @Test("a place with another numbering in between hides nothing")
  func acrossOthers() throws {
    let scenes = (0..<4).map { _ in Scene() }
    let numbers = Numbering()
    // The first and the last share their numbers. Those in between have their own.
    #expect(scenes[0].controller.events.share(numbers))
    #expect(scenes[3].controller.events.share(numbers))
    func ask(_ place: Int) {
      guard place < scenes.count else { return }
      scenes[place].controller.transition(
        to: ScriptedState(
          "a",
          coming: {
            ask(place + 1)
            $0.entered()
          }, leaving: { $0.exited() }))
    }
    for _ in 0..<2 {
      for scene in scenes { scene.log.forget() }
      ask(0)
      let entering = try #require(scenes[0].log.first(.entering))
      #expect(scenes[3].log.first(.enqueued)?.cause == entering.number)
      #expect(scenes[0].log.first(.entered)?.cause == entering.number)
      for scene in scenes[0...2] { #expect(scene.log.first(.enqueued)?.cause == 0) }
      #expect(numbers.place == .root)
    }
  }

  @Test("a request deep inside another numbering has the nearest place of its own numbering")
  func backAcrossAnother() throws {
    let one = Scene()
    let other = Scene()
    one.controller.transition(
      to: ScriptedState(
        "outer",
        coming: {
          other.controller.transition(
            to: ScriptedState(
              "between",
              coming: {
                one.controller.transition(to: ScriptedState("inner"))
                $0.entered()
              }, leaving: { $0.exited() }))
          $0.entered()
        }, leaving: { $0.exited() }))
    let entering = try #require(one.log.first(.entering, "outer"))
    #expect(one.log.first(.enqueued, "inner")?.cause == entering.number)
    #expect(one.log.first(.entered, "outer")?.cause == entering.number)
  }
}
