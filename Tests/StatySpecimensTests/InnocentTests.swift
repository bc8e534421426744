import Chance
import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import StatySpecimens
import Testing

/// Controllers that do the same in the replay as in the app never diverge, even if the recording
/// has few causes.
@Suite struct InnocentTests {
  /// A state that does nothing by itself.
  private final class Room {
    let name: StateName
    var onEnter: () -> Void = {}
    var onExit: () -> Void = {}

    init(_ name: StateName) { self.name = name }

    init(playing script: ReplayState) {
      name = script.name
      onEnter = { script.enter() }
      onExit = { script.exit() }
    }
  }

  // MARK: A delegate that cancels

  /// A controller that calls its delegate for each request before it shows anything.
  private final class Lobby {
    let probe: ControllerProbe
    var willShow: () -> Void = {}
    private var waiting: [Room] = []

    init(probe: ControllerProbe) { self.probe = probe }

    func show(_ room: Room) {
      probe.requested(room, named: room.name) {
        waiting.append(room)
        willShow()
        guard !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        probe.telling(.enter, next) { next.onEnter() }
      }
    }

    func cancelAll() {
      probe.cancelled(.all) {
        for room in waiting { probe.discarded(room, .cancelled) }
        waiting = []
      }
    }
  }

  /// At the beginning of the request, nothing is pending that could be cancelled.
  @Test(arguments: [true, false])
  func `a delegate may cancel during a request`(_ asksAnother: Bool) throws {
    let history = try SpecimenHistory()
    let recorder = try history.recorder()
    let lobby = Lobby(probe: ControllerProbe("lobby"))
    let alerts = Presenter(probe: ControllerProbe("presenter"), timer: ManualClock())
    recorder.attach(to: lobby.probe, as: "lobby")
    recorder.attach(to: alerts.probe, as: "alerts")
    let login = PlayedState("login")
    lobby.show(Room("first"))
    lobby.willShow = { [unowned lobby] in
      lobby.cancelAll()
      if asksAnother { alerts.show(login) }
    }
    lobby.show(Room("second"))
    withExtendedLifetime((lobby, alerts, login)) { recorder.close() }
    var registry = ControllerRegistry.withSpecimens
    registry.register("lobby") { context in
      let lobby = Lobby(probe: context.probe)
      return context.subject(
        makeState: { Room(playing: $0) }, cancel: { _ in lobby.cancelAll() }
      ) { room, _ in lobby.show(room) }
    }
    let result = try history.replay(registry: registry)
    let words = try history.words()
    #expect(result.verdict == .inconclusive, "\(result)\n\(words)")
  }

  // MARK: Work on another thread

  /// Shows a page, and removes the one before in a later turn or when the next one has entered.
  private final class Pager {
    let probe: ControllerProbe
    private let putOff: (@escaping () -> Void) -> Void
    private var shown: Room?
    private var leaving: Room?

    init(probe: ControllerProbe, putOff: @escaping (@escaping () -> Void) -> Void) {
      (self.probe, self.putOff) = (probe, putOff)
    }

    func show(_ room: Room) {
      probe.requested(room, named: room.name) {
        let before = shown
        shown = room
        probe.telling(.enter, room) { room.onEnter() }
        takeOff()
        guard let before else { return }
        leaving = before
        putOff(probe.deferred { [unowned self] in takeOff() })
      }
    }

    private func takeOff() {
      guard let room = leaving else { return }
      leaving = nil
      probe.telling(.exit, room) { room.onExit() }
    }
  }

  /// A state waits until another thread has run the later step.
  @Test func `a later step may run on another thread during a call`() throws {
    let history = try SpecimenHistory()
    let recorder = try history.recorder()
    var steps: [() -> Void] = []
    let pager = Pager(probe: ControllerProbe("pager")) { steps.append($0) }
    let keyed = Keyed2015(probe: ControllerProbe("keyed-2015"), timer: ManualClock())
    recorder.attach(to: pager.probe, as: "pager")
    recorder.attach(to: keyed.probe, as: "keyed")
    let rooms = ["first", "second", "third"].map { Room($0) }
    pager.show(rooms[0])
    pager.show(rooms[1])
    rooms[2].onEnter = { elsewhere(steps.removeFirst()) }
    let asking = PlayedState("loading")
    asking.onEnter = { _ in pager.show(rooms[2]) }
    keyed.request(asking, asked: nil, by: nil)
    withExtendedLifetime((pager, keyed, rooms, asking)) { recorder.close() }
    var registry = ControllerRegistry.withSpecimens
    registry.register("pager") { context in
      let pager = Pager(probe: context.probe) { context.scheduler.async($0) }
      return context.subject(makeState: { Room(playing: $0) }) { room, _ in pager.show(room) }
    }
    let result = try history.replay(registry: registry)
    let words = try history.words()
    #expect(result.verdict == .inconclusive, "\(result)\n\(words)")
    #expect(
      result.doubts.contains { if case .overlappingHandling = $0 { true } else { false } },
      "\(result)")
  }

  /// Shows a room, and calls out in another way once it has.
  private final class Porter {
    let probe: ControllerProbe
    private var hasShown = false

    init(probe: ControllerProbe) { self.probe = probe }

    func show(_ room: Room) {
      probe.requested(room, named: room.name) {
        probe.telling(.enter, room) { room.onEnter() }
        hasShown = true
      }
    }

    func request() { probe.received("asked") { probe.calling(hasShown ? "late" : "early") {} } }
  }

  /// Nothing in the recording says that the call goes on.
  @Test func `a class may be used on another thread while a state that it told waits`() throws {
    let history = try SpecimenHistory()
    let recorder = try history.recorder()
    let porter = Porter(probe: ControllerProbe("porter"))
    recorder.attach(to: porter.probe, as: "porter")
    let room = Room("first")
    room.onEnter = {
      elsewhere {
        porter.request()
        porter.request()
      }
    }
    porter.show(room)
    withExtendedLifetime((porter, room)) { recorder.close() }
    var registry = ControllerRegistry.withSpecimens
    registry.register("porter") { context in
      let porter = Porter(probe: context.probe)
      return context.subject(makeState: { Room(playing: $0) }) { room, _ in porter.show(room) }
        .receiving("asked") { porter.request() }
    }
    let result = try history.replay(registry: registry)
    let words = try history.words()
    #expect(result.verdict == .inconclusive, "\(result)\n\(words)")
  }

  // MARK: A recording that ends

  private final class Hearing: TransitionObserver {
    private var act: (() -> Void)?
    init(_ act: @escaping () -> Void) { self.act = act }
    func observe(_ event: borrowing TransitionEvent) {
      if event.kind == .enqueued { act.take()?() }
    }
  }

  /// An observer of one controller requests a hint at the other.
  ///
  /// When the hint is told to enter, it ends the recording of that controller.
  @Test func `recording may end during a call inside another controller's call`() throws {
    let history = try SpecimenHistory()
    let recorder = try history.recorder()
    let root = Presenter(probe: ControllerProbe("presenter"), timer: ManualClock())
    let hints = Presenter(probe: ControllerProbe("presenter"), timer: ManualClock())
    recorder.attach(to: root.probe, as: "root")
    recorder.attach(to: hints.probe, as: "hints")
    let (home, hint) = (PlayedState("home"), PlayedState("hint"))
    hint.onEnter = { _ in recorder.detach(from: hints.probe) }
    let observer = Hearing { hints.show(hint) }
    root.probe.events.add(observer)
    root.show(home)
    withExtendedLifetime((root, hints, home, hint, observer)) { recorder.close() }
    let result = try history.replay()
    let words = try history.words()
    #expect(result.verdict == .reproduced, "\(result)\n\(words)")
  }
}
