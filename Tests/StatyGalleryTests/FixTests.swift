import Staty
import Testing

@testable import StatyGallery

/// What the fixed apps do where a user goes on in another way than the report tells.
@MainActor @Suite struct FixTests {
  @Test func `a token of an earlier session is not taken, even if its user is back`() {
    let server = Tokens()
    let session = SessionModel(server, .fixed)
    session.send(.signIn("Anna"))
    session.send(.refresh)
    session.send(.signOut)
    session.send(.signIn("Anna"))
    let signedIn = session.state
    server.answer()
    #expect(session.state == signedIn)
    session.send(.refresh)
    server.answer()
    #expect(session.state == .in(UserSession(id: 2, user: "Anna", refreshes: 1)))
  }

  @Test func `a link that comes before the launch is opened when the tabs are restored`() {
    let store = Tabs()
    let tabs = TabsModel(store, .fixed)
    tabs.send(.open("weather"))
    tabs.send(.launch)
    store.restored?(["news"])
    #expect(tabs.state == .linked("weather") && tabs.tabs == ["news", "weather"])
  }

  @Test func `a purchase is refused until the last one is removed, and possible then`() {
    let purchases = PurchasesModel(.fixed)
    let (first, second, third) = (Transaction(), Transaction(), Transaction())
    purchases.buy(first)
    purchases.purchased(first)
    purchases.buy(second)
    #expect(!purchases.canBuy && first.payments == 1 && second.payments == 0)
    purchases.removed(first)
    #expect(purchases.canBuy)
    purchases.buy(third)
    #expect(third.payments == 1)
  }

  @Test func `a message that was not sent is in the field again`() async {
    let composer = Composer(NoServer(), .fixed)
    composer.write("hello")
    await composer.send()
    #expect(composer.field == .written("hello"))
    composer.appear()
    #expect(composer.field == .written("hello"))
  }

  @Test func `a workspace that was closed is not shown again by the refusal of another`() async {
    let list = WorkspaceList(["a", "b", "c"], RefusesC(), .fixed)
    await list.close("b")
    await list.close("c")
    #expect(list.state == .failed(["a", "c"]))
  }
}

private final class Tokens: TokenServer {
  private var waiting: [() -> Void] = []

  func refresh(_ session: UserSession, _ done: @escaping (UserSession) -> Void) {
    var new = session
    new.refreshes += 1
    waiting.append { [new] in done(new) }
  }

  func answer() { waiting.removeFirst()() }
}

private final class Tabs: TabStore {
  private(set) var restored: (([String]) -> Void)?
  func restore(_ done: @escaping ([String]) -> Void) { restored = done }
}

private final class Transaction: StoreTransaction {
  private(set) var payments = 0
  func pay() { payments += 1 }
  func finish() {}
}

private struct NoServer: PromptServer {
  func send(_ text: String) async -> Bool { false }
}

private struct RefusesC: WorkspaceServer {
  func close(_ name: String) async -> Bool { name != "c" }
}
