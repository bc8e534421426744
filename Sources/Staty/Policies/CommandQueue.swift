/// The commands that were decided and not yet performed, first in, first out.
///
/// The driver performs from the front while a policy may append at the end: a request made while
/// a state is told to enter has its commands behind those in hand.
public struct CommandQueue: Sendable {
  // Entries are plain values, so those before `head` and behind `end` are left as they are and
  // written over later.
  private var entries: [Entry] = []
  private var head = 0
  private var end = 0

  /// The number of the event in whose handling the next commands are decided.
  package var cause: UInt64 = 0

  /// A command and the number of the event in whose handling it was decided.
  package struct Entry: Sendable {
    package let command: Command
    package let cause: UInt64
  }

  /// An empty queue.
  public init() {}

  /// Whether nothing is left to perform.
  public var isEmpty: Bool { head == end }

  /// How many are left to perform.
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

  /// Takes the oldest command off.
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

  /// The numbers of events mean nothing any more.
  mutating func forgetCauses() {
    for place in head..<end {
      entries[place] = Entry(command: entries[place].command, cause: 0)
    }
    cause = 0
  }

  /// Takes out what would tell a state to come in or leave.
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

  /// Moves what is left to the front: a chain of requests that never lets the queue run empty
  /// must not let it grow.
  private mutating func compact() {
    for place in head..<end { entries[place - head] = entries[place] }
    end -= head
    head = 0
  }
}
