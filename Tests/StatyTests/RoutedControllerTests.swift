import Staty
import Testing

private enum Page: StateKey, CaseIterable {
  case list
  case detail
  case edit
  case summary
}

private final class Root {
  var shown: [String] = []
  var visits: [Visit] = []
}

private final class PageState: ScreenState {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  func enter(on target: Root, visit: Visit) {
    target.shown.append(text)
    target.visits.append(visit)
    visit.entered()
  }

  func exit(from target: Root, visit: Visit) {
    visit.exited()
  }
}

@Suite struct RoutedControllerTests {
  private let root = Root()
  private let log = EventLog()

  private func navigator(isSignedIn: @escaping () -> Bool = { true })
    -> RoutedController<Page, Root>
  {
    let routes = Routes<Page> {
      Start { To(.list) }
      From(.list) { To(.detail).needing(Int.self) }
      From(.detail) {
        Previous(.list)
        Next(.summary)
        To(.edit).when("signed in", isSignedIn)
      }
      From(.edit) { Previous(.detail).needing(Int.self) }
    }
    let navigator = RoutedController<Page, Root>(routes: routes) { page, context in
      PageState(context.map { "\(page) \($0)" } ?? "\(page)")
    }
    navigator.events.add(log)
    navigator.states.bind(to: root)
    return navigator
  }

  private func refusals() -> [String] {
    log.events.compactMap { event in
      guard case .discard(.rejected(let refusal)) = event.detail, let state = event.state else {
        return nil
      }
      return refusal.description(for: state)
    }
  }

  @Test func `a request names the destination and the context, and the table checks the route`() {
    let navigator = navigator()
    navigator.show(.list)
    navigator.show(.detail, context: 7)
    navigator.show(to: .next)
    #expect(root.shown == ["list", "detail 7", "summary"])
    #expect(navigator.currentKey == .summary)
    #expect(refusals().isEmpty)
  }

  @Test func `previous leads where the table says for the current state`() {
    let navigator = navigator()
    navigator.show(.list)
    navigator.show(.detail, context: 7)
    navigator.show(.edit)
    navigator.show(to: .previous, context: 7)
    navigator.show(to: .previous)
    #expect(root.shown == ["list", "detail 7", "edit", "detail 7", "list"])
  }

  @Test func `two quick requests for previous do not go back two screens`() {
    let navigator = navigator()
    navigator.show(.list)
    navigator.show(.detail, context: 7)
    navigator.show(to: .previous)
    navigator.show(to: .previous)
    #expect(navigator.currentKey == .list)
    #expect(refusals() == ["no route leads from list to previous"])
  }

  @Test func `previous is rejected if its visit has exited, wherever it would lead now`() {
    let navigator = navigator()
    navigator.show(.list)
    navigator.show(.detail, context: 7)
    navigator.show(.edit)
    let edit = root.visits[2]
    navigator.show(to: .previous, context: 7, origin: edit)
    navigator.show(to: .previous, context: 7, origin: edit)
    #expect(navigator.currentKey == .detail)
    #expect(refusals() == ["the state that asked has left in the meantime"])
    navigator.show(.edit, origin: edit)
    #expect(navigator.currentKey == .edit)
  }

  @Test func `next leads on from the state that an urgent request would follow`() {
    let routes = Routes<Page> {
      Start { To(.list) }
      From(.list) {
        To(.detail)
        Next(.edit)
      }
      From(.detail) { Next(.summary) }
      From(.edit) { To(.detail) }
    }
    let navigator = RoutedController<Page, Root>(policy: .priority, routes: routes) { page, _ in
      PageState("\(page)")
    }
    navigator.show(.list, priority: 9)
    navigator.show(.detail)
    navigator.show(to: .next, priority: 5)
    navigator.states.bind(to: root)
    #expect(root.shown == ["list", "edit", "detail"])
  }

  @Test func `an event contains the contextual destination and the state`() {
    let navigator = navigator()
    navigator.show(.list)
    navigator.show(.detail, context: 7)
    navigator.show(to: .next)
    guard case .request(let detail)? = log.events.last(where: { $0.kind == .enqueued })?.detail
    else {
      Issue.record("nothing was asked for")
      return
    }
    #expect(detail.asked == "next")
    #expect(detail.request.state == "summary")
  }

  @Test func `a wrong context, a closed guard and a missing route are reported by name`() {
    let navigator = navigator(isSignedIn: { false })
    navigator.show(.edit)
    navigator.show(.list)
    navigator.show(.detail, context: "seven")
    navigator.show(.detail, context: 7)
    navigator.show(.edit)
    #expect(
      refusals() == [
        "no route leads from the beginning to edit",
        "the route from list to detail needs a value of type Int",
        "the route from detail to edit is closed: not signed in",
      ])
    #expect(root.shown == ["list", "detail 7"])
  }

  @Test func `a request of a state that has exited comes too late for what led only from there`() {
    let navigator = navigator()
    navigator.show(.list)
    let list = root.visits[0]
    navigator.show(.detail, context: 7, origin: list)
    navigator.show(.detail, context: 7, origin: list)
    #expect(root.shown == ["list", "detail 7"])
    #expect(refusals() == ["the state that asked has left in the meantime"])
  }

  @Test func `a state that was removed asks too late for what led only from there`() {
    let navigator = navigator()
    navigator.show(.list)
    let list = root.visits[0]
    list.exited()
    navigator.showAnew(.detail, context: 7, origin: list)
    #expect(refusals() == ["the state that asked has left in the meantime"])
    navigator.showAnew(.list, origin: list)
    #expect(root.shown == ["list", "list"])
    #expect(refusals().count == 1)
  }

  @Test func `all conditions of a route have to hold`() {
    var (isSignedIn, isFull) = (false, true)
    let routes = Routes<Page> {
      Start { To(.list) }
      From(.list) { To(.edit).when("signed in") { isSignedIn }.when("cart full") { isFull } }
    }
    let navigator = RoutedController<Page, Root>(routes: routes) { page, _ in PageState("\(page)") }
    navigator.events.add(log)
    navigator.states.bind(to: root)
    navigator.show(.list)
    navigator.show(.edit)
    (isSignedIn, isFull) = (true, false)
    navigator.show(.edit)
    #expect(
      refusals()
        == Array(
          repeating: "the route from list to edit is closed: not signed in and cart full", count: 2)
    )
    isFull = true
    navigator.show(.edit)
    #expect(root.shown == ["list", "edit"])
  }

  @Test func `previous leads along the first route that is open`() {
    var cameFromList = true
    let routes = Routes<Page> {
      Start { To(.edit) }
      From(.edit) {
        Previous(.list).when("from list") { cameFromList }
        Previous(.detail).when("from detail") { !cameFromList }
      }
      From(.list) { To(.edit) }
      // Another way to a state is no way back.
      FromAny { To(.list) }
    }
    let navigator = RoutedController<Page, Root>(routes: routes) { page, _ in PageState("\(page)") }
    navigator.states.bind(to: root)
    navigator.show(.edit)
    navigator.show(to: .previous)
    navigator.show(.edit)
    cameFromList = false
    navigator.show(to: .previous)
    #expect(root.shown == ["edit", "list", "edit", "detail"])
  }

  private final class Item: Hashable {
    static func == (one: Item, other: Item) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Its hash is that of its number alone, as is usual for what a server sends.
  private struct Article: Hashable {
    let id: Int
    let title: String
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  @Test func `contexts with equal hashes are not equal`() {
    let routes = Routes<Page> { FromAny { for page in Page.allCases { To(page) } } }
    let navigator = RoutedController<Page, Root>(policy: .coalesce, routes: routes) {
      page, context in
      PageState((context as? Article)?.title ?? "\(page)")
    }
    navigator.states.bind(to: root)
    for title in ["old", "new", "new"] {
      navigator.show(.detail, context: Article(id: 7, title: title))
    }
    #expect(root.shown == ["old", "new"])
  }

  @Test func `a context goes with its visit`() {
    let routes = Routes<Page> { FromAny { for page in Page.allCases { To(page) } } }
    let navigator = RoutedController<Page, Root>(routes: routes) { page, _ in PageState("\(page)") }
    navigator.states.bind(to: root)
    weak var item: Item?
    do {
      let context = Item()
      item = context
      navigator.show(.detail, context: context)
    }
    navigator.show(.list)
    navigator.show(.summary)
    #expect(item == nil)
  }
}
