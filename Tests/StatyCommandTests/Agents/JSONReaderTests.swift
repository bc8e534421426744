import Testing

@testable import StatyCommand

@Suite struct JSONReaderTests {
  private func read(_ text: String) -> JSONValue? { try? JSONReader.value(text.utf8) }

  @Test(arguments: [
    "null", "true", "[]", "{}", "[1,-2,0,9223372036854775807]", "[0.5,-1.25]",
    "{\"b\":1,\"a\":[{}]}",
    "\"a\\\"b\\\\c\"", "\"é 日本語 🙂\"", "\"two\\nlines\\u001b\"",
  ]) func `what is written is read back as it was`(text: String) {
    #expect(read(text)?.line == text)
  }

  @Test func `escapes, white space and large numbers are understood`() {
    #expect(read("\"\\u00e9\\ud83d\\ude42\\/\\b\\f\\r\\t\"") == .text("é🙂/\u{8}\u{c}\r\t"))
    #expect(read(" \r\n\t[ 1 , 2 ]\n") == .list([.integer(1), .integer(2)]))
    #expect(read("1e3") == .number(1_000))
    #expect(read("9223372036854775808") == .number(9_223_372_036_854_775_808))
    #expect(read("-0") == .integer(0))
  }

  @Test(arguments: [
    "", " ", "[", "{", "{\"a\"}", "{\"a\":}", "{1:2}", "[1,]", "{\"a\":1,}", "[1 2]", "nul", "True",
    "NaN", "01", "1.", ".5", "+1", "1e", "--1", "0x1", "'a'", "\"a", "\"\\x\"", "\"\\u12\"",
    "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\u+123\"", "\"a\u{1}\"", "\"a\nb\"",
    "{}{}",
    "1 2", "\u{feff}1",
  ]) func `what is no JSON is refused`(text: String) {
    #expect(throws: JSONReader.Problem.self) { try JSONReader.value(text.utf8) }
  }

  @Test func `a text that is not UTF-8 is refused, and so is deep nesting`() {
    #expect(throws: JSONReader.Problem(sentence: "at byte 3, a text is not UTF-8")) {
      try JSONReader.value([0x22, 0xff, 0x22])
    }
    #expect(read(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) != nil)
    let deep = String(repeating: "[", count: 500_000)
    #expect(throws: JSONReader.Problem(sentence: "at byte 64, it is nested too deeply")) {
      try JSONReader.value(deep.utf8)
    }
  }
}
