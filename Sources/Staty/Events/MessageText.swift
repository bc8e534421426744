import Synchronization

/// Converts the values of messages to JSON, as they are stored in a history.
///
/// A `Codable` type is encoded with its own methods. Special formats of other encoders, such as
/// those for dates, do not apply.
package enum MessageText {
  /// The most bytes that are recorded of a message, as a recorder wants them.
  private static let most = Atomic(usualBytes)
  static let usualBytes = 4_096
  /// The deepest level of values in each other that is recorded: each level takes room on the stack.
  static let mostLevels = 64

  /// Makes room for messages of this size; each recorder cuts further to its own limit.
  package static func allow(bytes: Int) { most.max(bytes, ordering: .relaxed) }

  /// The prefix of a text that was cut.
  package static let cutMark = "cut:"
  /// The prefix of the reason why a message could not be encoded.
  package static let failureMark = "failed:"

  /// Returns the text of a message, marked if it was cut or could not be encoded.
  package static func text(of message: some Encodable) -> String {
    text(of: message, most: most.load(ordering: .relaxed))
  }

  static func text(of message: some Encodable, most: Int) -> String {
    let budget = Budget(left: most)
    let root = MessageNode()
    do {
      try message.encode(to: NodeEncoder(node: root, budget: budget, codingPath: []))
    } catch is Budget.Spent {
      // The text so far is kept for reading.
    } catch {
      return failureMark + "\(error)"
    }
    var text = ""
    root.write(to: &text)
    if !budget.isSpent, text.utf8.count <= most { return text }
    return cutMark + cut(text, to: most)
  }

  private static func cut(_ text: String, to most: Int) -> String {
    var kept = ""
    var count = 0
    for character in text {
      count += character.utf8.count
      if count > most { break }
      kept.append(character)
    }
    return kept
  }
}

/// The bytes that may still be written, so that a large message does not take much of the app's
/// time.
private final class Budget {
  struct Spent: Error {}

  private(set) var left: Int
  private(set) var isSpent = false

  init(left: Int) { self.left = left }

  func spend(_ bytes: Int) throws {
    left -= bytes
    if left >= 0, !isSpent { return }
    exhaust()
    throw Spent()
  }

  /// Lets nothing more be written.
  func exhaust() { isSpent = true }
}

/// A JSON value, of which a message's text is made.
package final class MessageNode {
  package enum Content {
    case null
    /// A number or a Boolean, as in the text.
    case scalar(String)
    case text(String)
    case list([MessageNode])
    case object([String: MessageNode])
  }

  package var content = Content.null

  package init() {}

  func write(to text: inout String) {
    switch content {
    case .null: text += "null"
    case .scalar(let scalar): text += scalar
    case .text(let value): text += Self.quoted(value)
    case .list(let nodes):
      text += "["
      for (place, node) in nodes.enumerated() {
        if place > 0 { text += "," }
        node.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      // Sorted, so that equal messages have equal texts.
      for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if place > 0 { text += "," }
        text += Self.quoted(member.key) + ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  func child(_ key: String) -> MessageNode {
    let node = MessageNode()
    if case .object(var members) = content {
      content = .null
      members[key] = node
      content = .object(members)
    } else {
      content = .object([key: node])
    }
    return node
  }

  func append() -> MessageNode {
    let node = MessageNode()
    if case .list(var nodes) = content {
      content = .null
      nodes.append(node)
      content = .list(nodes)
    } else {
      content = .list([node])
    }
    return node
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

// MARK: Encoding

private struct NodeEncoder: Encoder {
  let node: MessageNode
  let budget: Budget
  let codingPath: [any CodingKey]
  /// How many values the value is in.
  var level = 0
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([:]) }
    return KeyedEncodingContainer(KeyedEncoding(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = node.content {} else { node.content = .list([]) }
    return UnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The encoder of a value in this one.
  ///
  /// Behind the deepest level, it writes into a node of its own, which is dropped.
  func inside(
    _ node: @autoclosure () -> MessageNode, _ key: (any CodingKey)? = nil
  ) -> NodeEncoder {
    guard level < MessageText.mostLevels else {
      budget.exhaust()
      return NodeEncoder(node: MessageNode(), budget: budget, codingPath: [], level: level)
    }
    return NodeEncoder(
      node: node(), budget: budget, codingPath: codingPath + [key].compactMap(\.self),
      level: level + 1)
  }

  func put(_ value: some Encodable) throws {
    switch value {
    case let text as String:
      try budget.spend(text.utf8.count + 2)
      node.content = .text(text)
    case let bool as Bool: try put(scalar: bool ? "true" : "false")
    case let number as Double: try put(number)
    case let number as Float: try put(number)
    case let number as any FixedWidthInteger: try put(scalar: "\(number)")
    default:
      try budget.spend(1)
      try value.encode(to: self)
    }
  }

  private func put(_ number: some BinaryFloatingPoint & CustomStringConvertible & Encodable) throws
  {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: codingPath, debugDescription: "a number that is not finite"))
    }
    try put(scalar: number.description)
  }

  private func put(scalar: String) throws {
    try budget.spend(scalar.utf8.count)
    node.content = .scalar(scalar)
  }
}

extension NodeEncoder: SingleValueEncodingContainer {
  mutating func encodeNil() throws { node.content = .null }
  mutating func encode(_ value: some Encodable) throws { try inside(node).put(value) }
}

private struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func child(_ key: Key) throws -> NodeEncoder {
    try encoder.budget.spend(key.stringValue.utf8.count + 3)
    return encoder.inside(encoder.node.child(key.stringValue), key)
  }

  mutating func encodeNil(forKey key: Key) throws { _ = try child(key) }
  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try child(key).put(value)
  }

  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.inside(encoder.node.child(key.stringValue), key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.inside(encoder.node.child(key.stringValue), key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.inside(encoder.node.child("super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder {
    encoder.inside(encoder.node.child(key.stringValue), key)
  }
}

private struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  private(set) var count = 0

  init(encoder: NodeEncoder) { self.encoder = encoder }

  private mutating func next() -> NodeEncoder {
    count += 1
    return encoder.inside(encoder.node.append())
  }

  mutating func encodeNil() throws {
    try encoder.budget.spend(5)
    _ = next()
  }

  mutating func encode(_ value: some Encodable) throws {
    try encoder.budget.spend(1)
    try next().put(value)
  }

  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    next().unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { next() }
}
