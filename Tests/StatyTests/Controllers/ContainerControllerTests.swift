import Staty
import Testing

@Suite struct ContainerAppearingTests {
  @Test func `When the container appears, it loads the state and shows it at once`() {
    let container = ContainerDouble()
    container.controller.willAppear(animated: false)
    #expect(container.takeLog() == ["will loading", "add spinner at 0", "+spinner…"])
    container.controller.didAppear(animated: false)
    #expect(container.takeLog() == ["+spinner", "did from nothing"])
    #expect(container.loads == 1)
    #expect(!container.controller.isTransitioning)
  }

  @Test func `If the container appears animated, the first state enters animated`() {
    let container = ContainerDouble()
    container.controller.willAppear(animated: true)
    #expect(
      container.takeLog() == [
        "will loading", "add spinner at 0", "+spinner… animated",
        #"animate ["spinner"] []"#,
      ])
    container.controller.didAppear(animated: true)
    #expect(container.takeLog() == [])
    #expect(container.controller.isTransitioning)
    container.animations[0].completion(true)
    #expect(container.takeLog() == ["+spinner animated", "did from nothing"])
  }

  @Test func `A transition ends only after the container has appeared`() {
    let container = ContainerDouble()
    container.controller.willAppear(animated: true)
    container.animations[0].completion(true)
    #expect(container.controller.isTransitioning)
    _ = container.takeLog()
    container.controller.didAppear(animated: true)
    #expect(container.takeLog() == ["+spinner animated", "did from nothing"])
  }

  @Test func `When it appears again, staying children reappear, others are removed unseen`() {
    let container = ContainerDouble()
    container.appearanceState = .layered(["a", "b"])
    container.appear()
    container.disappear()
    _ = container.takeLog()
    container.appearanceState = .layered(["b", "c"])
    container.appear()
    #expect(
      container.takeLog() == [
        "will layered", "remove a", "add c at 1", "+b…", "+c…", "+b", "+c", "did from layered",
      ])
    #expect(container.loads == 2)
  }

  @Test func `Staying children reappear animated if the container appears animated`() {
    let container = ContainerDouble()
    container.appear()
    container.disappear()
    container.go(.layered(["spinner", "list"]), animated: false)
    _ = container.takeLog()
    container.appear(animated: true)
    #expect(
      container.takeLog() == [
        "will layered", "add list at 1", "+spinner… animated", "+list…", "+spinner animated",
        "+list animated", "did from loading",
      ])
  }

  @Test func `Before the first appearance there is no current state`() {
    let container = ContainerDouble()
    #expect(container.controller.currentState == nil)
    container.controller.willAppear(animated: true)
    #expect(container.controller.currentState != nil)
    #expect(container.controller.isTransitioning)
  }

  @Test func `Appearance calls that the platform repeats or omits are not repeated for children`() {
    let container = ContainerDouble()
    container.controller.didAppear(animated: false)
    container.controller.didDisappear(animated: false)
    container.controller.willDisappear(animated: false)
    #expect(container.takeLog() == [])
    container.appear()
    _ = container.takeLog()
    container.appear()
    #expect(container.takeLog() == [])
    container.disappear()
    #expect(container.takeLog() == ["-spinner…", "-spinner"])
    container.disappear()
    #expect(container.takeLog() == [])
  }
}

@Suite struct ContainerTransitionTests {
  @Test func `On screen, a transition removes and adds only the children that differ`() {
    let container = ContainerDouble()
    container.appearanceState = .layered(["back", "spinner"])
    container.appear()
    _ = container.takeLog()
    container.go(.layered(["back", "list"]))
    #expect(
      container.takeLog() == [
        "will layered", "-spinner…", "add list at 2", "+list…",
        "-spinner", "remove spinner", "+list", "did from layered",
      ])
    #expect(container.present == ["back", "list"])
  }

  @Test func `willRemove is called before a child disappears, not when the container does`() {
    let container = ContainerDouble()
    container.onChild = { [unowned container] line in
      if line == "-spinner…" { #expect(container.leaving == ["spinner"]) }
    }
    container.appear()
    container.go(.list([]))
    container.onChild = nil
    #expect(container.leaving == ["spinner"])
    container.disappear()
    #expect(container.leaving == ["spinner"])
    container.appear()
    #expect(container.leaving == ["spinner", "list"])
  }

  @Test func `An animated transition ends with its animation`() {
    let container = ContainerDouble()
    container.appear()
    _ = container.takeLog()
    container.go(.list(["a"]), animated: true)
    #expect(
      container.takeLog() == [
        "will list", "-spinner… animated", "add list at 1", "+list… animated",
        #"animate ["list"] ["spinner"]"#,
      ])
    #expect(container.controller.isTransitioning)
    container.animations[0].completion(true)
    #expect(
      container.takeLog() == [
        "-spinner animated", "remove spinner", "+list animated", "did from loading",
      ])
    #expect(!container.controller.isTransitioning)
  }

  @Test func `Children are in the order in which the state lists them`() {
    let container = ContainerDouble()
    container.appearanceState = .layered(["a", "b", "c"])
    container.appear()
    container.go(.layered(["c", "d", "a", "b"]))
    #expect(container.present == ["c", "d", "a", "b"])
    container.go(.layered(["b", "a"]))
    #expect(container.present == ["b", "a"])
    #expect(container.controller.children == ["b", "a"])
  }

  @Test func `Disappearing children keep their place among the staying ones`() {
    let container = ContainerDouble()
    container.appearanceState = .layered(["a", "gone", "b"])
    container.appear()
    container.go(.layered(["a", "b", "new"]), animated: true)
    #expect(container.present == ["a", "gone", "b", "new"])
    container.animations[0].completion(true)
    #expect(container.present == ["a", "b", "new"])
  }

  @Test func `A transition between states with the same children needs no animation`() {
    let container = ContainerDouble()
    container.appear()
    container.go(.layered(["spinner"]), animated: true)
    #expect(container.animations.isEmpty)
    #expect(!container.controller.isTransitioning)
  }

  @Test func `The current state changes between willTransition and didTransition`() {
    let container = ContainerDouble()
    var seen: [String] = []
    let note = { [unowned container] in
      seen.append(container.controller.currentState.map { "\(StateName(ofCase: $0))" } ?? "none")
    }
    container.onWill = { _ in note() }
    container.onDid = { _ in note() }
    container.appear()
    container.go(.nothing)
    #expect(seen == ["none", "loading", "loading", "nothing"])
  }

  @Test func `A request inside didTransition follows at once`() {
    let container = ContainerDouble()
    container.onDid = { [unowned container] _ in
      if case .loading = container.controller.currentState { container.go(.list(["a"])) }
    }
    container.appear()
    #expect(container.present == ["list"])
    #expect(
      container.log.filter { $0.hasPrefix("did") } == ["did from nothing", "did from loading"])
  }

  @Test func `A request inside didTransition replaces a pending request`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.appear()
    container.controller.events.add(log)
    container.go(.list([]), animated: true)
    container.go(.nothing)
    container.onDid = { [unowned container] _ in
      container.onDid = nil
      container.go(.layered(["a"]))
    }
    container.animations[0].completion(true)
    #expect(log.lines.contains("discarded nothing #3 replaced"))
    #expect(container.present == ["a"])
  }

  @Test func `A request during appearance calls waits until all children have got them`() {
    let container = ContainerDouble()
    container.appearanceState = .layered(["a", "b"])
    container.onChild = { [unowned container] line in
      if line == "+a" { container.go(.nothing) }
    }
    container.appear()
    #expect(
      container.takeLog() == [
        "will layered", "add a at 0", "add b at 1", "+a…", "+b…", "+a", "+b",
        "did from nothing", "will nothing", "-a…", "-b…", "-a", "remove a", "-b", "remove b",
        "did from layered",
      ])
  }

  @Test func `States have the names of their cases`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.controller.events.add(log)
    container.appear()
    container.go(.list(["a"]))
    #expect(
      log.lines == [
        "enqueued loading #1", "resumed", "entering loading #1", "entered loading #1",
        "enqueued list #2", "exiting loading #1", "exited loading #1", "entering list #2",
        "entered list #2",
      ])
    #expect(StateName(ofCase: "any text") == "String")
    let named = ContainerController<String, Int>()
    named.events.add(log)
    named.setNeedsTransition(to: "detail", animated: false)
    #expect(log.lines.last == "enqueued detail #1")
  }
}

@Suite struct ContainerDisappearingTests {
  @Test func `Disappearing during a transition ends it, and its children are told`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.appear()
    container.go(.list([]), animated: true)
    _ = container.takeLog()
    container.controller.events.add(log)
    container.controller.willDisappear(animated: true)
    #expect(
      container.takeLog() == [
        "-spinner animated", "remove spinner", "+list animated", "did from loading",
        "-list… animated",
      ])
    #expect(container.animations[0].wasFinishedEarly)
    #expect(log.lines == ["entered list #2"])
    container.controller.didDisappear(animated: true)
    container.animations[0].completion(false)
    #expect(container.takeLog() == ["-list animated"])
  }

  @Test func `Disappearing while it appears reverses the children's appearance`() {
    let container = ContainerDouble()
    container.controller.willAppear(animated: true)
    _ = container.takeLog()
    container.controller.willDisappear(animated: true)
    #expect(container.takeLog() == ["did from nothing", "-spinner… animated"])
    container.controller.didDisappear(animated: true)
    #expect(container.takeLog() == ["-spinner animated"])
  }

  @Test func `Appearing again while it disappears reverses the children's appearance`() {
    let container = ContainerDouble()
    container.appear()
    container.controller.willDisappear(animated: true)
    _ = container.takeLog()
    container.controller.willAppear(animated: false)
    container.controller.didAppear(animated: false)
    #expect(container.takeLog() == ["will loading", "+spinner…", "+spinner", "did from loading"])
  }

  @Test func `A pending state is discarded when the container disappears, with an event`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.appear()
    container.go(.list([]), animated: true)
    container.controller.events.add(log)
    container.go(.nothing)
    container.disappear()
    #expect(
      log.lines == [
        "enqueued nothing #3", "cancelled nothing #3", "discarded nothing #3 cancelled",
        "entered list #2",
      ])
    container.appear()
    #expect(container.loads == 2)
  }

  @Test func `The newest request off screen is shown at the next appearance`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.appear()
    container.disappear()
    container.controller.events.add(log)
    _ = container.takeLog()
    container.go(.nothing)
    container.go(.list(["a"]), animated: true)
    #expect(container.takeLog() == [])
    #expect(container.controller.pendingState.map { "\($0)" } == #"list(["a"])"#)
    #expect(container.controller.currentState.map { "\($0)" } == "loading")
    container.controller.willAppear(animated: false)
    container.controller.didAppear(animated: false)
    #expect(
      container.takeLog() == [
        "will list", "remove spinner", "add list at 0", "+list…", "+list", "did from loading",
      ])
    #expect(container.loads == 1)
    #expect(
      log.lines == [
        "enqueued nothing #2", "exiting loading #1", "enqueued list #3",
        "discarded nothing #2 replaced", "exited loading #1", "entering list #3",
        "entered list #3",
      ])
  }

  @Test func `A request before the first appearance is the first state`() {
    let container = ContainerDouble()
    container.go(.list(["a"]))
    #expect(container.controller.currentState == nil)
    container.appear()
    #expect(container.present == ["list"])
    #expect(container.loads == 0)
  }

  @Test func `A request while the appearance state is loaded is replaced by that state`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.controller.events.add(log)
    container.onLoad = { [unowned container] in container.go(.nothing) }
    container.appear()
    #expect(container.present == ["spinner"])
    #expect(log.lines.contains("discarded nothing #1 replaced"))
    container.disappear()
    container.appear()
    #expect(container.present == ["spinner"])
    #expect(log.lines.contains("discarded nothing #3 replaced"))
    #expect(container.log.count { $0.hasPrefix("will ") } == 2)
  }

  @Test func `Appearance calls inside a step are handled after it`() {
    let container = ContainerDouble()
    container.onDid = { [unowned container] _ in
      container.onDid = nil
      container.disappear()
      container.appear()
    }
    container.appear()
    #expect(
      container.takeLog() == [
        "will loading", "add spinner at 0", "+spinner…", "+spinner", "did from nothing",
        "-spinner…", "-spinner", "will loading", "+spinner…", "+spinner", "did from loading",
      ])
  }
}

@Suite struct ContainerLifetimeTests {
  @Test func `A container and its controller are released together during a transition`() {
    weak var host: ContainerDouble?
    weak var controller: ContainerController<ListState, String>?
    weak var animation: AnimationDouble?
    let log = MoveLog()
    var completion: ((Bool) -> Void)?
    do {
      let container = ContainerDouble()
      host = container
      controller = container.controller
      container.appear()
      container.go(.list([]), animated: true)
      container.go(.nothing)
      container.controller.events.add(log)
      completion = container.animations[0].completion
      animation = container.animations[0]
    }
    #expect(host == nil)
    #expect(controller == nil)
    #expect(animation == nil)
    completion?(true)
    #expect(
      log.lines == [
        "cancelled", "discarded list #2 tornDown", "discarded nothing #3 tornDown",
      ])
  }

  @Test func `Without its host, a controller discards requests`() {
    let log = MoveLog()
    var container: ContainerDouble? = ContainerDouble()
    container?.appear()
    let controller = container?.controller
    controller?.events.add(log)
    container = nil
    controller?.setNeedsTransition(to: .nothing, animated: false)
    #expect(
      log.lines == [
        "enqueued nothing #2", "cancelled", "discarded loading #1 tornDown",
        "discarded nothing #2 tornDown",
      ])
  }
}

/// The faults of the published controller, which this one does not have.
@Suite struct ContainerFaultTests {
  @Test func `didTransition names the old state, not the new one`() {
    let container = ContainerDouble()
    var previous: [String] = []
    container.onDid = { previous.append($0.map { "\($0)" } ?? "none") }
    container.appear()
    container.go(.list(["a"]))
    container.go(.nothing)
    #expect(previous == ["none", "loading", #"list(["a"])"#])
  }

  @Test func `An interrupted animation completes its transition`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.controller.events.add(log)
    container.appear()
    container.go(.list([]), animated: true)
    container.go(.nothing)
    container.animations[0].completion(false)
    #expect(container.present == [])
    #expect(log.lines.suffix(5).first == "entered list #2")
    #expect(log.lines.last == "entered nothing #3")
  }

  @Test func `An animation that completes twice ends one transition, not the next one too`() {
    let container = ContainerDouble()
    container.appear()
    container.go(.list([]), animated: true)
    container.animations[0].completion(false)
    container.go(.loading, animated: true)
    container.animations[0].completion(true)
    #expect(container.controller.isTransitioning)
    container.animations[1].completion(true)
    #expect(!container.controller.isTransitioning)
  }

  @Test func `A replaced request has an event`() {
    let container = ContainerDouble()
    let log = MoveLog()
    container.appear()
    container.go(.list([]), animated: true)
    container.controller.events.add(log)
    container.go(.nothing)
    container.go(.loading)
    #expect(
      log.lines == [
        "enqueued nothing #3", "enqueued loading #4", "discarded nothing #3 replaced",
      ])
    container.animations[0].completion(true)
    #expect(container.present == ["spinner"])
  }
}
