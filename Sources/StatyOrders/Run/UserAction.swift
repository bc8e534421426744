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
  /// The runtime's number of its task; 0 before it has begun.
  var taskNumber: UInt64 = 0

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

  /// How many tasks and blocks that it has begun have not ended.
  var underWay: Int {
    if trace == nil { return 0 }
    // Reading a reference may count as one, too: as it does here.
    let idle = UserAction(name, body)
    idle.trace = Trace()
    return references - idle.references
  }

  @inline(never) private var references: Int { trace.map { Int(_getRetainCount($0)) } ?? 0 }

  /// Whether its function has returned: then only what it has begun is under way.
  var hasReturned: Bool { trace?.hasReturned.load(ordering: .relaxed) ?? false }
}
