internal import COrders

/// A block of a dispatch queue, which is performed once or dropped.
// Sendable: it is used on the thread that has dispatched it only.
final class DispatchedBlock: @unchecked Sendable {
  private let block: UnsafeMutableRawPointer
  // It is kept until then.
  private let queue: UnsafeMutableRawPointer
  /// Whether no other block of the queue runs meanwhile.
  let isAlone: Bool
  private var isPerformed = false
  // The user's action that it descends from.
  private let trace = Trace.current

  init(_ block: UnsafeMutableRawPointer, on queue: UnsafeMutableRawPointer, isAlone: Bool) {
    (self.block, self.queue, self.isAlone) = (block, queue, isAlone)
  }

  deinit { if !isPerformed { orders_block_drop(block, queue) } }

  func perform() {
    isPerformed = true
    Trace.$current.withValue(trace) { orders_block_perform(block, queue, isAlone) }
  }
}
