import Staty

extension MessageText {
  /// Returns the message that a text contains.
  package static func message<Message: Decodable>(
    _ type: Message.Type, from text: String
  ) throws -> Message {
    var reading = MessageParser(text)
    return try NodeDecoder(node: try reading.whole(), codingPath: []).value(type)
  }

  /// The values of a message in short, such as `Bern, 3`; `nil` if it has none, or they are long.
  package static func brief(_ text: String) -> String? {
    var reading = MessageParser(text)
    guard case .object(let cases)? = try? reading.whole().content, cases.count == 1,
      case .object(let values)? = cases.first?.value.content, !values.isEmpty
    else { return nil }
    let parts = values.sorted { $0.key < $1.key }.map { _, value in
      switch value.content {
      case .text(let text), .scalar(let text): text
      default: "…"
      }
    }
    let brief = parts.joined(separator: ", ")
    return brief.count <= 40 ? brief : nil
  }
}

/// Parses a JSON text.
private struct MessageParser {
  private var rest: Substring.UnicodeScalarView
  private var depth = 0

  /// The deepest nesting of lists and objects that is accepted.
  private static let deepest = 256

  init(_ text: String) { rest = Substring(text).unicodeScalars }

  struct Malformed: Error, CustomStringConvertible {
    var description: String { "it is no JSON" }
  }

  mutating func whole() throws -> MessageNode {
    let node = try value()
    skipSpace()
    guard rest.isEmpty else { throw Malformed() }
    return node
  }

  private mutating func value() throws -> MessageNode {
    skipSpace()
    let node = MessageNode()
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

  private mutating func members() throws -> [String: MessageNode] {
    var members: [String: MessageNode] = [:]
    try many("{", "}") { reading in
      reading.skipSpace()
      let key = try reading.string()
      try reading.expect(":")
      members[key] = try reading.value()
    }
    return members
  }

  private mutating func elements() throws -> [MessageNode] {
    var elements: [MessageNode] = []
    try many("[", "]") { elements.append(try $0.value()) }
    return elements
  }

  private mutating func many(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ one: (inout MessageParser) throws -> Void
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
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16)
    else { throw Malformed() }
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
  let node: MessageNode
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

  func inside(_ node: MessageNode, _ key: (any CodingKey)? = nil) -> NodeDecoder {
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
  let members: [String: MessageNode]
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
  let nodes: [MessageNode]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

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
