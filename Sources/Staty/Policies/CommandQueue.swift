/// The commands that a policy has decided and that are not performed yet, first in, first out.
///
/// While commands are performed from the front, the policy may append others at the end. So the
/// commands of a request that is made inside a state's `enter` follow the earlier commands.
public struct CommandQueue: Sendable {
  // Entries are plain values, so those before `head` and after `end` stay until they are
  // overwritten.
  private var entries: [Entry] = []
  private var head = 0
  private var end = 0

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
  public var isEmpty: Bool { head == end }

  /// The number of commands.
  package var count: Int { end - head }

  /// Appends a command.
  public mutating func append(_ command: Command) {
    let entry = Entry(command: command, cause: cause)
    if end == entries.count {
      if head > 64, head * 2 > end { compact() }
    }
    if end < entries.count {
      entries[end] = entry
    } else {
      entries.append(entry)
    }
    end += 1
  }

  /// Removes and returns the oldest command.
  public mutating func popFirst() -> Command? {
    popFirstEntry()?.command
  }

  package mutating func popFirstEntry() -> Entry? {
    guard head < end else { return nil }
    let entry = entries[head]
    head += 1
    if head == end {
      head = 0
      end = 0
    }
    return entry
  }

  /// Removes the causes, because the event numbers have become meaningless.
  mutating func forgetCauses() {
    for place in head..<end {
      entries[place] = Entry(command: entries[place].command, cause: 0)
    }
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

  /// Moves the remaining entries to the front, so that a queue that never becomes empty does not
  /// grow without limit.
  private mutating func compact() {
    for place in head..<end { entries[place - head] = entries[place] }
    end -= head
    head = 0
  }
}
