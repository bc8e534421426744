import Staty
import Testing

@Suite struct StackTrackTests {
  private enum Route: Hashable {
    case list
    case detail(Int)
    case edit
  }

  private let track = StackTrack("navigation")
  private let log = EventLog()

  init() {
    track.events.add(log)
  }

  private func moves(to path: [Route]) -> [String] {
    log.forget()
    track.moved(to: path)
    return log.events.map { event in
      guard case .change(let change) = event.detail else { return "?" }
      let instance = event.instance == event.visit ? "" : " as \(event.instance!)"
      return "\(change) \(event.visit!) \(event.state!)\(instance)"
    }
  }

  @Test func `a pushed element enters on top, and a popped one exits from the top`() {
    #expect(moves(to: [.list]) == ["pushed #1 list"])
    #expect(moves(to: [.list, .detail(1)]) == ["pushed #2 detail"])
    #expect(track.events.snapshot.standing.standing.map(\.request.state) == ["list", "detail"])
    #expect(moves(to: [.list]) == ["popped #2 detail"])
    #expect(moves(to: []) == ["popped #1 list"])
  }

  @Test func `a replaced path gives the shortest change`() {
    _ = moves(to: [.list, .detail(1), .edit])
    #expect(
      moves(to: [.list, .detail(2)]) == ["popped #3 edit", "popped #2 detail", "pushed #4 detail"])
    #expect(moves(to: [.list, .detail(2)]) == [])
    #expect(
      moves(to: [.edit]) == ["popped #4 detail", "popped #1 list", "pushed #5 edit as #3"])
  }

  @Test func `equal elements share an instance`() {
    #expect(moves(to: [.detail(1)]) == ["pushed #1 detail"])
    #expect(moves(to: [.detail(1), .detail(1)]) == ["pushed #2 detail as #1"])
    #expect(moves(to: [.detail(1), .detail(1), .detail(2)]) == ["pushed #3 detail"])
  }

  @Test func `a structure is named like the first enumeration in it`() {
    struct Page: Hashable {
      var id = UInt64.random(in: .min ... .max)
      var title: String?
      var isNew = true
      var screen: Route
    }
    struct Plain: Hashable { var number = 1 }
    struct Named: Hashable, NamedState {
      var screen = Route.list
      var stateName: StateName { "own" }
    }
    func names(_ path: some Collection<some Hashable>) -> [StateName?] {
      let (track, log) = (StackTrack("path"), EventLog())
      track.events.add(log)
      track.moved(to: path)
      return log.events.map(\.state)
    }
    #expect(names([Page(screen: .list), Page(screen: .detail(1))]) == ["list", "detail"])
    #expect(names([Plain()]) == ["Plain"])
    #expect(names([Named()]) == ["own"])
  }

  @Test func `of a path that hides its elements, the count is recorded`() {
    func moves(toCount count: Int) -> [String] {
      log.forget()
      track.moved(toCount: count)
      return log.events.map { "\($0.state!) \($0.visit!)" }
    }
    #expect(moves(toCount: 2) == ["element #1", "element #2"])
    #expect(moves(toCount: 2) == [])
    #expect(moves(toCount: -1) == ["element #2", "element #1"])
  }

  @Test func `a change by an observer is recorded after the change that it observed`() {
    final class Redirect: TransitionObserver {
      let track: StackTrack
      init(_ track: StackTrack) { self.track = track }
      func observe(_ event: borrowing TransitionEvent) {
        if event.state == "detail", event.detail == .change(.pushed) {
          track.moved(to: [Route.list])
        }
      }
    }
    track.events.add(Redirect(track))
    #expect(
      moves(to: [.list, .detail(1), .edit])
        == [
          "pushed #1 list", "pushed #2 detail", "pushed #3 edit", "popped #3 edit",
          "popped #2 detail",
        ])
    #expect(moves(to: []) == ["popped #1 list"])
  }

  @Test func `after an unobserved change, all elements are pushed again`() {
    _ = moves(to: [.list])
    track.events.remove(log)
    track.moved(to: [Route.list, .edit])
    track.events.add(log)
    #expect(track.events.snapshot.isLate)
    #expect(moves(to: [.list]) == ["pushed #2 list as #1"])
  }

  @Test func `that it is empty is known, unless a change was not observed`() {
    let isEmpty = { [track] in track.events.snapshot.isEmpty }
    #expect(isEmpty())
    _ = moves(to: [.list])
    #expect(!isEmpty())
    _ = moves(to: [])
    #expect(isEmpty())
    track.events.remove(log)
    track.moved(to: [Route.list])
    track.events.add(log)
    #expect(!isEmpty())
    track.received("tap") {}
    #expect(!isEmpty())
    _ = moves(to: [.list])
    _ = moves(to: [])
    #expect(isEmpty())
  }
}
