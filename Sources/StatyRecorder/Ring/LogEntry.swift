/// Something of any length that a producer noted: a name, a site, a payload.
package struct LogEntry: Equatable, Sendable {
  /// What it is; the noter's affair.
  package var kind: UInt32
  /// The number of the event or of the name that it is about, by kind.
  package var id: UInt64
  /// The bytes noted.
  package var bytes: [UInt8]

  /// The entry with these parts.
  package init(kind: UInt32, id: UInt64, bytes: [UInt8]) {
    self.kind = kind
    self.id = id
    self.bytes = bytes
  }
}
