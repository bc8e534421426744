import Staty
import StatyReplay

extension KnownBug {
  package static let signOut = KnownBug(
    name: "sign-out",
    symptom: "I sign out, sign in as someone else, and am signed in again with the old account",
    report: "supabase/supabase-swift #1371", kind: "gallery-session",
    decides: "whether the answer to the refresh comes after the second user has signed in",
    minimizing: ["--rule=late-answer"]
  ) { version in
    let platform = Platform()
    let session = SessionModel(Server(surroundings: platform), version)
    return Scene(platform, ("gallery-session", session.track))
      .user("sign in as Anna") { session.send(.signIn("Anna")) }
      .user("refresh the token") { session.send(.refresh) }
      .user("sign out") { session.send(.signOut) }
      .user("sign in as Ben") { session.send(.signIn("Ben")) }
  } make: { context, version in
    let session = SessionModel(Server(surroundings: context), version)
    return context.subject(of: session.track) { (message: SessionMessage) in session.send(message) }
  }
}

private struct Server: TokenServer {
  let surroundings: any Surroundings
  func refresh(_ session: UserSession, _ done: @escaping (UserSession) -> Void) {
    surroundings.asked("refresh", "\(session.id)") {
      var refreshed = session
      refreshed.refreshes += 1
      done(refreshed)
    }
  }
}
