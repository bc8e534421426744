import CSQLite
import Synchronization

/// Stops what a connection is doing, from any thread.
///
/// A statement that is running fails with `ResultCode.interrupted`; a transaction it was writing in
/// may be rolled back. It does nothing when nothing runs, or when the connection is closed.
package final class Interrupter: Sendable {
  /// A connection's handle, or nothing once it is closed.
  private let handle: Mutex<Handle?>

  init(_ pointer: OpaquePointer) {
    handle = Mutex(Handle(pointer: pointer))
  }

  /// Stops the statements that are running now.
  package func interrupt() {
    // The lock is held throughout, and the connection takes it before it closes, so the handle is
    // alive during the call, as `sqlite3_interrupt` demands.
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

  // Unchecked because it holds a pointer. The proof: it is only ever read under the mutex above, and
  // only given to `sqlite3_interrupt`, which SQLite allows on any thread while the connection is
  // open; `disarm` ends that before the connection closes.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }
}
