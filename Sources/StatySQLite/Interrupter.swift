import CSQLite
import Synchronization

/// Stops the running statements of a connection, from any thread.
///
/// A running statement fails with `ResultCode.interrupted`, and its transaction may be rolled back.
/// Without a running statement, or after the connection was closed, this has no effect.
package final class Interrupter: Sendable {
  /// A connection's handle; `nil` after it was closed.
  private let handle: Mutex<Handle?>

  init(_ pointer: OpaquePointer) {
    handle = Mutex(Handle(pointer: pointer))
  }

  /// Stops the statements that are running now.
  package func interrupt() {
    // The connection takes the same lock before it closes. So the handle is valid during the call,
    // as `sqlite3_interrupt` requires.
    handle.withLock { handle in
      if let handle { sqlite3_interrupt(handle.pointer) }
    }
  }

  func disarm() {
    handle.withLock { $0 = nil }
  }

  func arm(_ pointer: OpaquePointer) {
    handle.withLock { $0 = Handle(pointer: pointer) }
  }

  // Unchecked because it contains a pointer. It is safe: the pointer is only read under the mutex
  // above, and only passed to `sqlite3_interrupt`, which SQLite allows on any thread while the
  // connection is open. `disarm` ends that before the connection closes.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }
}
