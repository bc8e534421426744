/// Converts the values of messages to JSON and back, as they are stored in a history.
///
/// A `Codable` type is encoded with its own methods. Special formats of other encoders, such as
/// those for dates, do not apply.
package enum MessageText {
  /// The most bytes that are recorded of a message.
  static let mostBytes = 4_096
  /// The prefix of a text that was cut.
  package static let cutMark = "cut:"
  /// The prefix of the reason why a message could not be encoded.
  package static let failureMark = "failed:"

  /// Returns the text of a message, marked if it was cut or could not be encoded.
  package static func text(of message: some Encodable) -> String {
    let budget = Budget(left: mostBytes)
    let root = Node()
    do {
      try message.encode(to: NodeEncoder(node: root, budget: budget, codingPath: []))
    } catch is Budget.Spent {
      // The text so far is kept for reading.
    } catch {
      return failureMark + "\(error)"
    }
    var text = ""
    root.write(to: &text)
    if !budget.isSpent, text.utf8.count <= mostBytes { return text }
    return cutMark + cut(text)
  }

  /// Returns the message that a text contains.
  package static func message<Message: Decodable>(
    _ type: Message.Type, from text: String
  ) throws -> Message {
    var reading = JSONReading(text)
    return try NodeDecoder(node: try reading.whole(), codingPath: []).value(type)
  }

  private static func cut(_ text: String) -> String {
    var kept = ""
    var count = 0
    for character in text {
      count += character.utf8.count
      if count > mostBytes { break }
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
    if left >= 0 { return }
    isSpent = true
    throw Spent()
  }
}

/// A JSON value.
private final class Node {
  enum Content {
    case null
    /// A number or a Boolean, as in the text.
    case scalar(String)
    case text(String)
    case list([Node])
    case object([String: Node])
  }

  var content = Content.null

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

  func child(_ key: String) -> Node {
    let node = Node()
    if case .object(var members) = content {
      content = .null
      members[key] = node
      content = .object(members)
    } else {
      content = .object([key: node])
    }
    return node
  }

  func append() -> Node {
    let node = Node()
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
  let node: Node
  let budget: Budget
  let codingPath: [any CodingKey]
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

  func inside(_ node: Node, _ key: (any CodingKey)? = nil) -> NodeEncoder {
    NodeEncoder(node: node, budget: budget, codingPath: codingPath + [key].compactMap(\.self))
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
  mutating func encode(_ value: some Encodable) throws { try put(value) }
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

// MARK: Reading

/// Parses a JSON text.
private struct JSONReading {
  private var rest: Substring.UnicodeScalarView
  private var depth = 0

  /// The deepest nesting of lists and objects that is accepted.
  private static let deepest = 256

  init(_ text: String) { rest = Substring(text).unicodeScalars }

  struct Malformed: Error, CustomStringConvertible {
    var description: String { "it is no JSON" }
  }

  mutating func whole() throws -> Node {
    let node = try value()
    skipSpace()
    guard rest.isEmpty else { throw Malformed() }
    return node
  }

  private mutating func value() throws -> Node {
    skipSpace()
    let node = Node()
    switch rest.first {
    case "{": node.content = .object(try members())
    case "[": node.content = .list(try elements())
    case "\"": node.content = .text(try string())
    default:
      let word = String(rest.prefix { !",]} \n\r\t".unicodeScalars.contains($0) })
      guard !word.isEmpty else { throw Malformed() }
      rest = rest.dropFirst(word.unicodeScalars.count)
      node.content = word == "null" ? .null : .scalar(word)
    }
    return node
  }

  private mutating func members() throws -> [String: Node] {
    var members: [String: Node] = [:]
    try many("{", "}") { reading in
      reading.skipSpace()
      let key = try reading.string()
      try reading.expect(":")
      members[key] = try reading.value()
    }
    return members
  }

  private mutating func elements() throws -> [Node] {
    var elements: [Node] = []
    try many("[", "]") { elements.append(try $0.value()) }
    return elements
  }

  private mutating func many(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ one: (inout JSONReading) throws -> Void
  ) throws {
    depth += 1
    guard depth <= Self.deepest else { throw Malformed() }
    try expect(open)
    skipSpace()
    if rest.first != close {
      repeat { try one(&self) } while take(",")
    }
    try expect(close)
    depth -= 1
  }

  private mutating func string() throws -> String {
    try expect("\"")
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return String(text) }
      text.append(scalar == "\\" ? try escaped() : scalar)
    }
    throw Malformed()
  }

  private mutating func escaped() throws -> Unicode.Scalar {
    switch rest.popFirst() {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "u":
      let unit = try hexadecimal()
      guard unit & 0xFC00 == 0xD800 else {
        guard let scalar = Unicode.Scalar(unit) else { throw Malformed() }
        return scalar
      }
      guard rest.popFirst() == "\\", rest.popFirst() == "u" else { throw Malformed() }
      let low = try hexadecimal()
      guard low & 0xFC00 == 0xDC00,
        let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
      else { throw Malformed() }
      return scalar
    case let scalar?: return scalar
    case nil: throw Malformed()
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    let digits = String(rest.prefix(4))
    guard digits.utf8.count == 4, let value = UInt32(digits, radix: 16) else { throw Malformed() }
    rest = rest.dropFirst(4)
    return value
  }

  private mutating func skipSpace() {
    while let first = rest.first, " \n\r\t".unicodeScalars.contains(first) { rest.removeFirst() }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws {
    guard take(scalar) else { throw Malformed() }
  }
}

private struct NodeDecoder: Decoder {
  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = node.content else { throw mismatch("an object") }
    return KeyedDecodingContainer(KeyedDecoding(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let nodes) = node.content else { throw mismatch("a list") }
    return UnkeyedDecoding(decoder: self, nodes: nodes)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  var isNull: Bool { if case .null = node.content { true } else { false } }

  func inside(_ node: Node, _ key: (any CodingKey)? = nil) -> NodeDecoder {
    NodeDecoder(node: node, codingPath: codingPath + [key].compactMap(\.self))
  }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch type {
    case is String.Type:
      guard case .text(let text) = node.content else { throw mismatch("a text") }
      return text as! Value
    case is Bool.Type: return try scalar { ["true": true, "false": false][$0] as! Value? }
    case is Double.Type: return try scalar { Double($0) as! Value? }
    case is Float.Type: return try scalar { Float($0) as! Value? }
    case let integer as any FixedWidthInteger.Type:
      return try scalar { Self.read($0, as: integer) as! Value? }
    default: return try Value(from: self)
    }
  }

  private static func read<Number: FixedWidthInteger>(
    _ text: String, as type: Number.Type
  ) -> Number? { Number(text) }

  private func scalar<Value>(_ read: (String) -> Value?) throws -> Value {
    guard case .scalar(let text) = node.content, let value = read(text) else {
      throw mismatch("of type \(Value.self)")
    }
    return value
  }

  func mismatch(_ wanted: String) -> any Error { Mismatch(path: codingPath, wanted: wanted) }
}

/// A value does not have the type that the message expects.
private struct Mismatch: Error, CustomStringConvertible {
  let path: [any CodingKey]
  let wanted: String

  var description: String {
    let place = path.map(\.stringValue).joined(separator: ".")
    return "\(place.isEmpty ? "the message" : "'\(place)'") is not \(wanted)"
  }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { isNull }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}

private struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: NodeDecoder
  let members: [String: Node]
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func member(_ key: Key) throws -> NodeDecoder {
    guard let node = members[key.stringValue] else {
      throw decoder.inside(decoder.node, key).mismatch("there")
    }
    return decoder.inside(node, key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key).value(type)
  }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder {
    guard let node = members["super"] else { throw decoder.mismatch("there") }
    return decoder.inside(node)
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

private struct UnkeyedDecoding: UnkeyedDecodingContainer {
  let decoder: NodeDecoder
  let nodes: [Node]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

  init(decoder: NodeDecoder, nodes: [Node]) {
    (self.decoder, self.nodes) = (decoder, nodes)
  }

  private mutating func next() throws -> NodeDecoder {
    guard !isAtEnd else { throw decoder.mismatch("that long") }
    currentIndex += 1
    return decoder.inside(nodes[currentIndex - 1])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, decoder.inside(nodes[currentIndex]).isNull else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // After a failure, the next attempt decodes the same element.
    let place = currentIndex
    do {
      return try next().value(type)
    } catch {
      currentIndex = place
      throw error
    }
  }
  mutating func nestedContainer<Nested>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try next() }
}
