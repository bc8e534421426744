import Testing

@testable import Staty

/// Which values say all there is to a state.
@Suite struct PhaseTests {
  private enum Phase { case idle, loading }
  private enum Single { case only }
  private enum Content { case idle, ready([String]) }
  private enum Small { case idle, on(Bool) }
  private enum Generic<Value> { case idle, value(Value) }
  private indirect enum Nested { case leaf, node(Nested) }

  private final class Watcher: TransitionObserver {
    var count = 0
    func observe(_ event: borrowing TransitionEvent) { count += 1 }
  }

  @Test func `an enumeration without values is a mere phase`() {
    #expect(StateName.isPhase(Phase.self) && StateName.isPhase(Single.self))
    #expect(!StateName.isPhase(Content.self) && !StateName.isPhase(Small.self))
    #expect(!StateName.isPhase(Generic<Int>.self) && !StateName.isPhase(Nested.self))
    #expect(!StateName.isPhase(Bool.self) && !StateName.isPhase([Phase].self))
  }

  @Test func `only a search notices that a value is set again`() {
    func moves(isShowing: Bool, _ body: (StateTrack) -> Void) -> Int {
      let track = StateTrack("track")
      let watcher = Watcher()
      track.events.add(watcher)
      track.isShowing = isShowing
      body(track)
      return watcher.count
    }
    let again = { (track: StateTrack) in for _ in 0..<3 { track.moved(to: [1, 2]) } }
    #expect(moves(isShowing: false, again) == 3)
    #expect(moves(isShowing: true, again) == 1)
    #expect(moves(isShowing: true) { track in for _ in 0..<3 { track.moved(to: Phase.idle) } } == 3)
  }
}
