import Staty
import StatyReplay

extension KnownBug {
  package static let signOut = KnownBug(
    name: "sign-out", symptom: "After signing out and in as another user, the first user is back.",
    report: "supabase/supabase-swift #1371", kind: "gallery-session",
    decides: "whether the answer to the refresh comes after the second user has signed in",
    minimizing: ["--rule=late-answer"]
  ) { version in
    let platform = Platform()
    let session = SessionModel(Server(surroundings: platform), version)
    return Scene(platform, ("gallery-session", session.track))
      .user("sign in as a") { session.send(.signIn("a")) }
      .user("refresh the token") { session.send(.refresh) }
      .user("sign out") { session.send(.signOut) }
      .user("sign in as b") { session.send(.signIn("b")) }
  } make: { context, version in
    let session = SessionModel(Server(surroundings: context), version)
    return context.subject(of: session.track) { (message: SessionMessage) in session.send(message) }
  }
}

private struct Server: TokenServer {
  let surroundings: any Surroundings
  func refresh(_ user: String, _ done: @escaping (String) -> Void) {
    surroundings.asked("refresh", user) { done(user) }
  }
}
