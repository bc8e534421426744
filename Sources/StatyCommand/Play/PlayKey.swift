/// A command of the user while a history is played, from a key.
enum PlayKey: Equatable {
  case forward, back
  /// Ten events at once.
  case farForward, farBack
  case first, last
  case nextFinding, findingBefore
  /// Play, or stop playing.
  case play
  case faster, slower
  /// Begins to type the number of an event.
  case number
  case digit(Character)
  case erase, enter, cancel
  case quit

  /// The meanings of the keys, the most important first: if there is little room, the last are left
  /// out.
  static let help = [
    "arrows step", "q quits", "space plays", "g number", "n N finding", "b first", "e last",
    "+ - speed",
  ]

  /// The keys for bytes from a terminal; unknown bytes are ignored.
  ///
  /// The bytes of a sequence arrive together, and its end is recognized by its form.
  static func keys(_ bytes: [UInt8]) -> [PlayKey] {
    var keys: [PlayKey] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == 0x1b else {
        if let key = letter(byte) { keys.append(key) }
        continue
      }
      guard let next = rest.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else {
        keys.append(.cancel)
        continue
      }
      rest.removeFirst()
      let end = rest.firstIndex { (0x40...0x7e).contains($0) } ?? rest.endIndex
      let sequence = String(decoding: rest[..<min(rest.endIndex, end + 1)], as: UTF8.self)
      rest = rest[min(rest.endIndex, end + 1)...]
      if let key = named(sequence) { keys.append(key) }
    }
    return keys
  }

  private static func named(_ sequence: String) -> PlayKey? {
    switch sequence {
    case "C", "B": .forward
    case "D", "A": .back
    case "6~": .farForward
    case "5~": .farBack
    case "H", "1~", "7~": .first
    case "F", "4~", "8~": .last
    default: nil
    }
  }

  private static func letter(_ byte: UInt8) -> PlayKey? {
    switch Character(Unicode.Scalar(byte)) {
    case "l", "j": .forward
    case "h", "k": .back
    case "n": .nextFinding
    case "N": .findingBefore
    case "e", "G": .last
    case "b": .first
    case "g": .number
    case " ": .play
    case "+", "=": .faster
    case "-": .slower
    case "0"..."9": .digit(Character(Unicode.Scalar(byte)))
    case "\u{7f}", "\u{8}": .erase
    case "\r", "\n": .enter
    case "q", "\u{4}": .quit
    default: nil
    }
  }
}
