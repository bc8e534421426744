/// What the user does in a run, one action after the other.
struct UserScript {
  /// The actions that the user does, in order.
  private(set) var actions: [UserAction] = []
  /// The place of the next action: as many were done, or need not be done any more.
  private(set) var done = 0
  /// How many actions were given.
  private var given = 0
  /// The numbers of those that the user does not do.
  private let leftOut: Set<Int>
  /// When a patient user does the next action.
  private(set) var due = WorldRun.pause

  init(without leftOut: Set<Int> = []) { self.leftOut = leftOut }

  /// The next action; `nil` behind the last.
  var next: UserAction? { done < actions.count ? actions[done] : nil }

  /// The names of the actions that were not done.
  var undone: [String] { actions[done...].map(\.name) }

  mutating func add(_ action: UserAction) {
    given += 1
    if !leftOut.contains(given - 1) { actions.append(action) }
  }

  /// Takes the next action; there has to be one.
  mutating func takeNext() -> UserAction {
    defer { done += 1 }
    return actions[done]
  }

  /// The next action need not be done any more.
  mutating func skip() { done += 1 }

  /// The user looks at what comes of the action that was done.
  mutating func wait(from now: UInt64) { due = now + WorldRun.pause }

  /// The user does nothing more.
  mutating func stop() { done = actions.count }
}
