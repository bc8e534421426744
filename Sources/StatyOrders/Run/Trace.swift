internal import Synchronization

/// Whatever descends from an action keeps a reference to its trace until it has ended.
final class Trace: Sendable {
  @TaskLocal static var current: Trace?
  let hasReturned = Atomic(false)
}
