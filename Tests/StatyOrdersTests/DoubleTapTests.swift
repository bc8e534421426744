import StatyTesting
import Testing

/// A tap that awaits something before it pushes, searched as the guide RecordingNavigation does.
@MainActor @Suite struct DoubleTapTests {
  enum Route: Hashable { case detail(Int) }

  enum Fix: CaseIterable {
    case none
    /// Looks only before the `await`.
    case before
    /// Looks only behind it.
    case after
    /// Remembers the row until it is pushed.
    case pending
  }

  @MainActor final class List {
    private(set) var path: [Route] = []
    private var pending: Int?
    private let fix: Fix
    private let load: () async -> Void

    init(_ fix: Fix, load: @escaping () async -> Void) { (self.fix, self.load) = (fix, load) }

    func tap(_ row: Int) async {
      if fix == .before, path.last == .detail(row) { return }
      if fix == .pending {
        if pending == row || path.last == .detail(row) { return }
        pending = row
      }
      await load()
      if fix == .after, path.last == .detail(row) { return }
      if fix == .pending {
        if pending != row { return }
        pending = nil
      }
      path.append(.detail(row))
    }

    func back() { path.removeLast() }
  }

  private func search(_ fix: Fix) {
    expectOneOutcome { world in
      let list = List(fix) { await world.answer("total", ()) }
      world.user("double tap") { for _ in 0..<2 { Task { await list.tap(1) } } }
      world.user("back", when: { !list.path.isEmpty }) { list.back() }
      world.shows { list.path }
      world.always("no screen is above itself") {
        zip(list.path, list.path.dropFirst()).allSatisfy { $0 != $1 }
      }
    }
  }

  @Test(arguments: [Fix.none, .before, .after])
  func `a double tap that pushes twice, or behind Back, is found`(_ fix: Fix) {
    let failure =
      fix == .after
      ? "is late: behind 'back'" : "'no screen is above itself' does not hold in the usual order."
    withKnownIssue {
      search(fix)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(failure) }
    }
  }

  @Test func `a row that is remembered until it is pushed passes`() { search(.pending) }
}
