internal import COrders
internal import Synchronization

/// Something that the user does in a run.
final class UserAction {
  let name: String
  /// Whether the user can do it now; `nil` if always.
  let condition: (@MainActor () -> Bool)?
  /// Whether its time has come, by what has happened; `nil` if it always has.
  let isDue: (() -> Bool)?
  /// Whether the model has done it by itself, as a recording shows; `nil` if it does not.
  let isOver: (() -> Bool)?
  private let body: @MainActor () async -> Void
  private var trace: Trace?
  private var task: Task<Void, Never>?

  init(
    _ name: String, when condition: (@MainActor () -> Bool)? = nil, due isDue: (() -> Bool)? = nil,
    over isOver: (() -> Bool)? = nil, _ body: @escaping @MainActor () async -> Void
  ) {
    (self.name, self.condition, self.body) = (name, condition, body)
    (self.isDue, self.isOver) = (isDue, isOver)
  }

  func begin() {
    let trace = Trace()
    self.trace = trace
    task = Trace.$current.withValue(trace) {
      Task { @MainActor [body] in
        await body()
        Trace.current?.hasReturned.store(true, ordering: .relaxed)
      }
    }
  }

  func cancel() { task?.cancel() }

  /// Whether something that it has begun has not ended.
  var isUnderWay: Bool { trace != nil && !isKnownUniquelyReferenced(&trace) }

  /// Whether its function has returned: then only what it has begun is under way.
  var hasReturned: Bool { trace?.hasReturned.load(ordering: .relaxed) ?? false }
}

/// Whatever descends from an action keeps a reference to its trace until it has ended.
final class Trace: Sendable {
  @TaskLocal static var current: Trace?
  let hasReturned = Atomic(false)
}

/// A block of a dispatch queue.
// Sendable: it is performed once, on the thread that has dispatched it.
struct DispatchedBlock: @unchecked Sendable {
  let address: UnsafeMutableRawPointer
  // The user's action that it descends from.
  private let trace = Trace.current

  init(address: UnsafeMutableRawPointer) { self.address = address }

  func perform() { Trace.$current.withValue(trace) { orders_block_perform(address) } }
}
