internal import COrders

/// Something that the user does in a run.
final class UserAction {
  let name: String
  /// Whether the user can do it now; `nil` if always.
  let condition: (@MainActor () -> Bool)?
  /// Whether its time has come, by what has happened; `nil` if it always has.
  let isDue: (() -> Bool)?
  private let body: @MainActor () async -> Void
  private var trace: Trace?
  private var task: Task<Void, Never>?

  init(
    _ name: String, when condition: (@MainActor () -> Bool)? = nil, due isDue: (() -> Bool)? = nil,
    _ body: @escaping @MainActor () async -> Void
  ) {
    (self.name, self.condition, self.isDue, self.body) = (name, condition, isDue, body)
  }

  func begin() {
    let trace = Trace()
    self.trace = trace
    task = Trace.$current.withValue(trace) { Task { @MainActor [body] in await body() } }
  }

  func cancel() { task?.cancel() }

  /// Whether something that it has begun has not ended.
  var isUnderWay: Bool { trace != nil && !isKnownUniquelyReferenced(&trace) }
}

/// Whatever descends from an action keeps a reference to its trace until it has ended.
final class Trace: Sendable {
  @TaskLocal static var current: Trace?
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
