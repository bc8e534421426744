import Foundation

/// Does something on a thread of its own and waits, as with `DispatchQueue.main.sync`, or as an
/// executor with several threads does.
public func elsewhere(_ body: @escaping () -> Void) {
  nonisolated(unsafe) let body = body
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    isDone.signal()
  }
  isDone.wait()
}
