import Foundation
import Testing

@testable import Staty
@testable import StatyReplay

/// A message is read as it was written.
@Suite struct MessageTextTests {
  private enum Message: Codable, Equatable {
    case plain
    case numbers(Int, UInt64, Int8, Double, Float, Bool)
    case texts(String, Character: String?, [String: Int])
    case values(URL, Date, Data, Decimal, UUID, [Int?])
    indirect case nested(Message, [Message])
  }

  private func wholly(_ message: Message) throws -> Message {
    try MessageText.message(Message.self, from: MessageText.text(of: message))
  }

  @Test func `every value is decoded as it was encoded`() throws {
    let messages: [Message] = [
      .plain,
      .numbers(.min, .max, -7, 0.1, 1e20, true),
      .texts("\"\\ \n\u{0}\u{7f} é 👨‍👩‍👧 \u{2028}", Character: nil, ["b": 1, "a": 2]),
      .texts("", Character: "x", [:]),
      .values(
        URL(string: "https://example.org/a?b=c")!, Date(timeIntervalSinceReferenceDate: 1.5),
        Data([0, 255]), Decimal(string: "1.05")!, UUID(), [1, nil, 3]),
      .nested(.nested(.plain, []), [.plain, .plain]),
    ]
    for message in messages { #expect(try wholly(message) == message) }
  }

  @Test
  func `equal messages have equal texts with sorted members`() {
    let text = MessageText.text(of: ["z": 1, "a": 2, "m": 3])
    #expect(text == #"{"a":2,"m":3,"z":1}"#)
  }

  @Test func `the text is JSON that Foundation can read`() throws {
    let text = MessageText.text(of: Message.texts("\"\u{1}/", Character: nil, ["a": 1]))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let members = try #require((object as? [String: Any])?["texts"] as? [String: Any])
    #expect(members["_0"] as? String == "\"\u{1}/")
  }

  @Test func `a message that is too long is cut and marked`() throws {
    let text = MessageText.text(
      of: Message.texts(
        String(repeating: "é", count: 5_000), Character: nil, [:]), most: MessageText.usualBytes)
    #expect(text.hasPrefix(MessageText.cutMark))
    #expect(text.utf8.count <= MessageText.usualBytes + MessageText.cutMark.utf8.count)
    let many = MessageText.text(
      of: Array(repeating: 7, count: 1_000_000), most: MessageText.usualBytes)
    #expect(many.hasPrefix("cut:[7,7,"))
    #expect(many.utf8.count <= MessageText.usualBytes + 4)
  }

  /// A value in others of its kind.
  struct Nested: Encodable {
    enum Way: CaseIterable { case lists, members, single, containers }

    let way: Way
    let levels: Int

    private struct Key: CodingKey {
      let stringValue = "a"
      var intValue: Int? { nil }
      init() {}
      init?(stringValue: String) {}
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      let inner = Nested(way: way, levels: levels - 1)
      switch way {
      case .lists:
        var list = encoder.unkeyedContainer()
        if levels > 0 { try list.encode(inner) }
      case .members:
        var members = encoder.container(keyedBy: Key.self)
        if levels > 0 { try members.encode(inner, forKey: Key()) }
      case .single:
        var value = encoder.singleValueContainer()
        if levels > 0 { try value.encode(inner) } else { try value.encode(7) }
      case .containers:
        var list = encoder.unkeyedContainer()
        for _ in 0..<levels { list = list.nestedUnkeyedContainer() }
      }
    }
  }

  @Test(arguments: Nested.Way.allCases)
  func `a message that is nested too deeply is cut and marked`(_ way: Nested.Way) {
    let room = 1 << 25
    #expect(!MessageText.text(of: Nested(way: way, levels: 60), most: room).hasPrefix("cut:"))
    for levels in [65, 1_000_000] {
      let text = MessageText.text(of: Nested(way: way, levels: levels), most: room)
      #expect(text.hasPrefix(MessageText.cutMark), "\(levels)")
      #expect(text.utf8.count < 1_000)
    }
  }

  @Test func `the longest message that is recorded whole has 4,096 bytes`() {
    let whole = MessageText.text(
      of: String(repeating: "x", count: MessageText.usualBytes - 2), most: MessageText.usualBytes)
    #expect(whole.utf8.count == MessageText.usualBytes && !whole.hasPrefix("cut:"))
    #expect(
      MessageText.text(
        of: String(repeating: "x", count: MessageText.usualBytes - 1), most: MessageText.usualBytes
      )
      .hasPrefix("cut:"))
  }

  @Test func `a message that cannot be encoded has the reason as its text`() {
    #expect(MessageText.text(of: [Double.nan]).hasPrefix(MessageText.failureMark))
  }

  @Test(arguments: [
    "", "{", "[1,", "\"a", "\"\\u12\"", "\"\\ud800\"", "{\"a\" 1}", "nul", "{\"plain\":{}} x",
    String(repeating: "[", count: 100_000), #"{"other":{}}"#, #"{"numbers":{"_0":1e99}}"#, "null",
    "7",
  ])
  func `a text of another message is refused`(_ text: String) {
    #expect(throws: (any Error).self) { try MessageText.message(Message.self, from: text) }
  }

  @Test func `a refusal names the value that does not fit`() {
    #expect(throws: (any Error).self) {
      try MessageText.message([String: Int].self, from: #"{"page":"two"}"#)
    }
    do {
      _ = try MessageText.message([String: Int].self, from: #"{"page":"two"}"#)
    } catch {
      #expect("\(error)" == "'page' is not of type Int")
    }
  }
}
