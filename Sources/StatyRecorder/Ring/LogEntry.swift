/// An entry of the byte log, such as a name, a call site or a payload.
package struct LogEntry: Equatable, Sendable {
  /// The kind of entry; the ring does not interpret it.
  package var kind: UInt32
  /// The number of the event, name, call site or controller, depending on `kind`.
  package var id: UInt64
  package var bytes: [UInt8]

  package init(kind: UInt32, id: UInt64, bytes: [UInt8]) {
    self.kind = kind
    self.id = id
    self.bytes = bytes
  }
}
