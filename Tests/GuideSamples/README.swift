@MainActor final class Account {
  enum State { case signedOut, signedIn }
  private(set) var state = State.signedIn
  init(server: FakeServer) {}
  func refresh() async {}
  func signOut() {}
}
struct FakeServer { let world: World }
enum FeedState { case idle }
class State { func enter() {} }
@MainActor let (state, probe) = (State(), ControllerProbe("mine"))
@MainActor var queue: [State] = []
@MainActor func showNext() {}
