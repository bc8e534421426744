import Chance
import Staty
import StatyReplay

/// What a model asks of a server, a timer or a store.
struct Question: Hashable {
  let name: String
  var argument = ""
  var isInOrder = false
}

/// A model with a reducer, as many apps have it.
final class Store<State: Hashable, Message: RecordedMessage> {
  typealias Reducer = (inout State, Message, (Question) -> Void) -> Void

  let track: StateTrack
  private(set) var state: State { didSet { track.moved(to: state) } }
  private let reduce: Reducer
  private let ask: (Question) -> Void

  init(_ state: State, _ reduce: @escaping Reducer, ask: @escaping (Question) -> Void) {
    track = StateTrack("store", state)
    (self.state, self.reduce, self.ask) = (state, reduce, ask)
  }

  func send(_ message: Message, answering question: MessageOrigin? = nil) {
    track.received(message, answering: question) { reduce(&state, message, ask) }
  }
}

/// An ordinary model, and a use of it in which the user waits for each answer.
struct OrdinaryModel: CustomStringConvertible {
  let description: String
  /// What a search says of it.
  let verdict: Exploration.Verdict
  let record: (inout [StateTrack]) -> () -> Void
  /// Makes a model and its track, and a use of it in a random order: the user does not wait, and answers
  /// to different questions come in any order.
  let recordRandomly: (inout SeededRandom) -> (track: StateTrack, use: () -> Void)
  let register: (inout ControllerRegistry) -> Void

  init<State: Hashable, Message: RecordedMessage>(
    _ description: String, _ verdict: Exploration.Verdict, _ initial: State, uses: [Message],
    answers: @escaping (Question) -> [Message],
    reduce: @escaping Store<State, Message>.Reducer
  ) {
    (self.description, self.verdict) = (description, verdict)
    record = { tracks in
      var asked: [(question: Question, origin: MessageOrigin?)] = []
      let store = Store(initial, reduce) { asked.append(($0, .current)) }
      tracks.append(store.track)
      return {
        for use in uses {
          store.send(use)
          while !asked.isEmpty {
            let (question, origin) = asked.removeFirst()
            for answer in answers(question) { store.send(answer, answering: origin) }
          }
        }
      }
    }
    recordRandomly = { random in
      var asked: [(question: Question, origin: MessageOrigin?)] = []
      let store = Store(initial, reduce) { asked.append(($0, .current)) }
      var own = SeededRandom(seed: random.next())
      return (
        store.track,
        {
          var left = (0..<Int.random(in: 1...6, using: &own)).map { uses[$0 % uses.count] }
          while !left.isEmpty || !asked.isEmpty {
            if asked.isEmpty || !left.isEmpty && own.chance(50) {
              store.send(left.removeFirst())
            } else {
              let (question, origin) = asked.remove(at: .random(in: 0..<asked.count, using: &own))
              for answer in answers(question) { store.send(answer, answering: origin) }
            }
          }
        }
      )
    }
    register = { registry in
      registry.register("store") { context in
        let store = Store(initial, reduce) { question in
          context.asked(question.name, question.argument, inOrder: question.isInOrder)
        }
        return context.subject(of: store.track) { (message: Message) in store.send(message) }
      }
    }
  }
}

extension OrdinaryModel {
  enum Sections: RecordedMessage { case opened, news(Int), offers(Int) }
  struct Shelf: Hashable { var (news, offers) = (0, 0) }

  nonisolated(unsafe) static let sections = OrdinaryModel(
    "two sections that load beside each other", .same, Shelf(), uses: [Sections.opened]
  ) {
    $0.name == "news" ? [.news(3)] : [.offers(2)]
  } reduce: { shelf, message, ask in
    switch message {
    case .opened:
      ask(Question(name: "news"))
      ask(Question(name: "offers"))
    case .news(let count): shelf.news = count
    case .offers(let count): shelf.offers = count
    }
  }

  enum Paging: RecordedMessage { case more, page(Int) }
  struct Pages: Hashable { var (count, isLoading) = (0, false) }

  nonisolated(unsafe) static let pages = OrdinaryModel(
    "pages, and a tap while one is loading is ignored", .differs, Pages(),
    uses: [Paging.more, .more]
  ) {
    [.page(Int($0.argument)!)]
  } reduce: { pages, message, ask in
    switch message {
    case .more:
      if pages.isLoading { return }
      pages.isLoading = true
      ask(Question(name: "page", argument: "\(pages.count + 1)"))
    case .page(let number): (pages.count, pages.isLoading) = (number, false)
    }
  }

  enum Refreshing: RecordedMessage { case pulled, items(Int) }
  struct Feed: Hashable { var (asked, shown) = (0, 0) }

  nonisolated(unsafe) static let refresh = OrdinaryModel(
    "pull to refresh, the newest answer counts", .same, Feed(),
    uses: [Refreshing.pulled, .pulled, .pulled]
  ) {
    [.items(Int($0.argument)!)]
  } reduce: { feed, message, ask in
    switch message {
    case .pulled:
      feed.asked += 1
      ask(Question(name: "items", argument: "\(feed.asked)"))
    case .items(let number): if number == feed.asked { feed.shown = number }
    }
  }

  enum Network: RecordedMessage { case load, loaded, lost, found }
  struct Page: Hashable { var (hasContent, isOffline) = (false, false) }

  nonisolated(unsafe) static let offline = OrdinaryModel(
    "an offline banner over content", .same, Page(), uses: [Network.load, .lost, .found]
  ) { _ in
    [.loaded]
  } reduce: { page, message, ask in
    switch message {
    case .load: ask(Question(name: "content"))
    case .loaded: page.hasContent = true
    case .lost: page.isOffline = true
    case .found: page.isOffline = false
    }
  }

  enum Typing: RecordedMessage { case typed(String), paused(String), found(String) }
  struct Field: Hashable { var (text, shown) = ("", "") }

  nonisolated(unsafe) static let search = OrdinaryModel(
    "a debounced search that ignores stale answers", .same, Field(),
    uses: [Typing.typed("s"), .typed("sw")]
  ) {
    $0.name == "pause" ? [.paused($0.argument)] : [.found($0.argument)]
  } reduce: {
    field, message, ask in
    switch message {
    case .typed(let text):
      field.text = text
      ask(Question(name: "pause", argument: text))
    case .paused(let text): if text == field.text { ask(Question(name: "found", argument: text)) }
    case .found(let text): if text == field.text { field.shown = text }
    }
  }

  enum Signing: RecordedMessage { case signIn, welcomed, openProfile, profile }
  enum Account: Hashable { case out, signingIn, `in`, profile }

  nonisolated(unsafe) static let signIn = OrdinaryModel(
    "sign in, and a profile that needs it", .differs, Account.out,
    uses: [Signing.signIn, .openProfile]
  ) {
    $0.name == "sign in" ? [.welcomed] : [.profile]
  } reduce: { account, message, ask in
    switch message {
    case .signIn:
      account = .signingIn
      ask(Question(name: "sign in"))
    case .welcomed: account = .in
    case .openProfile: if account == .in { ask(Question(name: "profile")) }
    case .profile: account = .profile
    }
  }

  enum Liking: RecordedMessage { case like, unlike, saved, failed }

  nonisolated(unsafe) static let like = OrdinaryModel(
    "a like that is shown at once", .same, false, uses: [Liking.like, .unlike]
  ) { _ in
    [.saved]
  } reduce: { isLiked, message, ask in
    switch message {
    case .like:
      isLiked = true
      ask(Question(name: "save", argument: "yes"))
    case .unlike:
      isLiked = false
      ask(Question(name: "save", argument: "no"))
    case .saved, .failed: break
    }
  }

  enum Carting: RecordedMessage { case add, total(Int) }
  struct Cart: Hashable { var (lines, total) = (0, 0) }

  /// A real flaw: the total of an older cart may come last.
  nonisolated(unsafe) static let cart = OrdinaryModel(
    "a cart with the server's total", .broken, Cart(), uses: [Carting.add, .add]
  ) {
    [.total(10 * Int($0.argument)!)]
  } reduce: { cart, message, ask in
    switch message {
    case .add:
      cart.lines += 1
      ask(Question(name: "total", argument: "\(cart.lines)"))
    case .total(let total): cart.total = total
    }
  }

  enum Uploading: RecordedMessage { case chosen, progress(Int), done }
  enum Upload: Hashable { case none, percent(Int), done }

  nonisolated(unsafe) static let upload = OrdinaryModel(
    "an upload with progress", .same, Upload.none, uses: [Uploading.chosen]
  ) { _ in
    [.progress(50), .progress(90), .done]
  } reduce: { upload, message, ask in
    switch message {
    case .chosen:
      upload = .percent(0)
      ask(Question(name: "upload"))
    case .progress(let percent): upload = .percent(percent)
    case .done: upload = .done
    }
  }

  enum Naming: RecordedMessage { case typed(String), checked(String, isFree: Bool) }
  struct Form: Hashable { var (name, isValid) = ("", false) }

  nonisolated(unsafe) static let form = OrdinaryModel(
    "a form that is checked by the server", .same, Form(),
    uses: [Naming.typed("an"), .typed("anna")]
  ) {
    [.checked($0.argument, isFree: $0.argument == "anna")]
  } reduce: { form, message, ask in
    switch message {
    case .typed(let name):
      form = Form(name: name, isValid: false)
      ask(Question(name: "check", argument: name))
    case .checked(let name, let isFree): if name == form.name { form.isValid = isFree }
    }
  }

  enum Badging: RecordedMessage { case opened, count(Int), readAll }

  /// A real flaw: the count from before may come after everything was read.
  nonisolated(unsafe) static let badge = OrdinaryModel(
    "a badge with the number of unread messages", .differs, 0, uses: [Badging.opened, .readAll]
  ) { _ in
    [.count(4)]
  } reduce: { unread, message, ask in
    switch message {
    case .opened: ask(Question(name: "count"))
    case .count(let count): unread = count
    case .readAll: unread = 0
    }
  }

  enum Noticing: RecordedMessage { case shown(Int), timeIsUp(Int), tapped }
  enum Notice: Hashable { case none, notice(Int) }

  nonisolated(unsafe) static let notice = OrdinaryModel(
    "a notice that goes by itself", .same, Notice.none,
    uses: [Noticing.shown(1), .shown(2), .tapped]
  ) {
    [.timeIsUp(Int($0.argument)!)]
  } reduce: { notice, message, ask in
    switch message {
    case .shown(let number):
      notice = .notice(number)
      ask(Question(name: "time", argument: "\(number)"))
    case .timeIsUp(let number): if notice == .notice(number) { notice = .none }
    case .tapped: notice = .none
    }
  }

  static var all: [OrdinaryModel] {
    [sections, pages, refresh, offline, search, signIn, like, cart, upload, form, badge, notice]
  }
}
