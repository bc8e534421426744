/// A way by which bytes of strangers come in.
///
/// What lies behind each must take any bytes: understand them, or refuse them in its own words. It
/// ends the process if something comes of them that must not.
package enum Door: String, CaseIterable, Sendable {
  /// A file that says it is a history.
  case file
  /// The ring of a process that was killed.
  case ring
  /// Lines that another program wrote, for `staty import`.
  case lines
  /// A script of edits, for `staty replay --edits`.
  case edits
  /// The words of a command line, one a line.
  case words

  /// Lets the bytes in.
  package func open(_ bytes: [UInt8]) throws {
    switch self {
    case .file: try FileDoor.open(bytes)
    case .ring: try RingDoor.open(bytes)
    case .lines: try LinesDoor.open(bytes)
    case .edits: try EditsDoor.open(bytes)
    case .words: try WordsDoor.open(bytes)
    }
  }
}

/// What must not have happened did.
package struct Broken: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
