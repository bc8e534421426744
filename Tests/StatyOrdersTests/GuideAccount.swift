import Staty

@MainActor final class Account {
  enum State { case signedOut, refreshing, signedIn }

  let track = StateTrack("account", State.signedIn)
  private(set) var state = State.signedIn { didSet { track.moved(to: state) } }
  private let server: any TokenServer

  init(server: any TokenServer) { self.server = server }

  func refresh() async {
    await track.received("refresh") {
      state = .refreshing
      _ = await server.token()
      state = .signedIn
    }
  }

  func signOut() { track.received("sign out") { state = .signedOut } }
}
