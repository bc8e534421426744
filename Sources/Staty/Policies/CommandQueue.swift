/// The commands that a policy has decided and that are not performed yet, first in, first out.
///
/// While commands are performed from the front, the policy may append others at the end. So the
/// commands of a request that is made inside a state's `enter` follow the earlier commands.
public struct CommandQueue: Sendable {
  /// The oldest command: usually there is no other, and an array costs more to use.
  private var first: Entry?
  /// The other commands, after those that became the oldest one.
  private var others: [Entry] = []
  /// How many entries of `others` became the oldest one; they stay until there are no others.
  private var taken = 0

  /// The number of the event that the next commands are decided for.
  package var cause: UInt64 = 0

  /// A command, and the number of the event that it was decided for.
  package struct Entry: Sendable {
    package let command: Command
    package let cause: UInt64
  }

  /// Creates an empty queue.
  public init() {}

  /// Whether the queue is empty.
  public var isEmpty: Bool { first == nil }

  /// The number of commands.
  package var count: Int { first == nil ? 0 : 1 + others.count - taken }

  /// Appends a command.
  @inline(__always)
  public mutating func append(_ command: Command) {
    let entry = Entry(command: command, cause: cause)
    if first == nil { first = entry } else { appendOther(entry) }
  }

  @inline(never)
  private mutating func appendOther(_ entry: Entry) {
    // A queue that never becomes empty does not grow without limit.
    if taken > 64, taken * 2 > others.count {
      others.removeSubrange(..<taken)
      taken = 0
    }
    others.append(entry)
  }

  /// Removes and returns the oldest command.
  public mutating func popFirst() -> Command? {
    popFirstEntry()?.command
  }

  @inline(__always)
  package mutating func popFirstEntry() -> Entry? {
    let entry = first
    first = nil
    if !others.isEmpty { takeOther() }
    return entry
  }

  @inline(never)
  private mutating func takeOther() {
    first = others[taken]
    taken += 1
    if taken == others.count {
      others.removeAll(keepingCapacity: true)
      taken = 0
    }
  }

  /// Removes the causes, because the event numbers have become meaningless.
  mutating func forgetCauses() {
    first = first.map { Entry(command: $0.command, cause: 0) }
    others = others.map { Entry(command: $0.command, cause: 0) }
    cause = 0
  }

  /// Removes the commands that would tell a state to enter or to exit.
  package mutating func dropOrdersToStates() {
    var kept = CommandQueue()
    while let entry = popFirstEntry() {
      if case .discard = entry.command {
        kept.cause = entry.cause
        kept.append(entry.command)
      }
    }
    kept.cause = cause
    self = kept
  }
}
