import Foundation
import Testing

@testable import StatyCommand

/// Model Context Protocol, as a client sees it that may be wrong or hostile.
@Suite struct AgentProtocolTests {
  private let place: Place

  init() throws { place = try Place() }

  private func greeting(_ version: String) throws -> [String: Any] {
    let line = """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\(version)",\
      "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
      """
    let client = try AgentClient([line], in: place.directory)
    #expect(client.status == 0)
    return try #require(client.answers.first?["result"] as? [String: Any])
  }

  @Test func `a client is greeted in its version of the protocol, or else in the newest`() throws {
    for version in AgentServer.versions {
      #expect(try greeting(version)["protocolVersion"] as? String == version)
    }
    let greeting = try greeting("1999-01-01")
    #expect(greeting["protocolVersion"] as? String == "2025-11-25")
    #expect((greeting["capabilities"] as? [String: Any])?.keys.sorted() == ["tools"])
    let server = try #require(greeting["serverInfo"] as? [String: String])
    #expect(server == ["name": "staty", "version": StatyTool.version])
    let words = try #require(greeting["instructions"] as? String)
    #expect(words.contains("below the folder '\(place.directory)'"))
    // In the order in which they are to be asked.
    let tools = ["sessions", "check", "why", "explore", "minimize", "test", "what-if"]
    let places = tools.compactMap { words.firstRange(of: $0)?.lowerBound }
    #expect(places.count == tools.count && places == places.sorted())
  }

  @Test func `each tool is listed with what it takes, and all of it is known to its command`()
    throws
  {
    let client = try AgentClient(
      [#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{}}"#], in: place.directory)
    let result = try #require(client.answers.first?["result"] as? [String: Any])
    let tools = try #require(result["tools"] as? [[String: Any]])
    #expect(tools.compactMap { $0["name"] as? String } == AgentTool.all.map(\.name))
    for (tool, spec) in zip(tools, AgentTool.all) {
      #expect((tool["annotations"] as? [String: Bool])?["readOnlyHint"] == true)
      #expect((tool["description"] as? String)?.hasSuffix(".") == true)
      let schema = try #require(tool["inputSchema"] as? [String: Any])
      let properties = try #require(schema["properties"] as? [String: [String: Any]])
      let words = spec.files == .none ? [] : spec.verb.spec.arguments.map(\.name)
      #expect(properties.keys.sorted() == (words + spec.options).sorted())
      for property in properties.values {
        #expect((property["description"] as? String)?.isEmpty == false)
        #expect(property["type"] is String)
      }
      #expect(Set(spec.usual.keys).isSubset(of: spec.options))
      // Nothing that writes where the user did not say.
      #expect(
        !spec.options.contains {
          ["output", "force", "junit", "allow", "rules", "edits"].contains($0)
        })
    }
  }

  @Test func `a list of messages, as an older protocol has them, is answered by a list`() throws {
    func message(_ id: String) -> String { #"{"jsonrpc":"2.0",\#(id)"method":"ping"}"# }
    let lines = [
      "[\(message(#""id":1,"#)),\(message(""))]", "[\(message(""))]", message(#""id":2,"#),
    ]
    let run = try Binary(
      ["mcp"], in: place.directory, input: lines.map { $0 + "\n" }.joined())
    let answer = { (id: Int) in #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# }
    #expect(run.out == "[\(answer(1))]\n\(answer(2))\n")
  }

  @Test func `what is no request is answered by what is wrong with it, and the next is served`()
    throws
  {
    let wrong: [(line: String, code: Int, id: Int?)] = [
      ("garbage", -32_700, nil), ("{\"jsonrpc\":\"2.0\",", -32_700, nil), ("\u{1}", -32_700, nil),
      (String(repeating: "[", count: 900_000), -32_700, nil), ("null", -32_600, nil),
      ("7", -32_600, nil), ("[]", -32_600, nil),
      ("[]", -32_600, nil), ("{}", -32_600, nil),
      (#"{"id":3,"method":"ping"}"#, -32_600, 3),
      (#"{"jsonrpc":"1.0","id":4,"method":"ping"}"#, -32_600, 4),
      (#"{"jsonrpc":"2.0","id":5}"#, -32_600, 5),
      (#"{"jsonrpc":"2.0","id":6,"method":7}"#, -32_600, 6),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, nil),
      (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32_600, nil),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, nil),
      (#"{"jsonrpc":"2.0","id":8,"method":"resources/list"}"#, -32_601, 8),
      (#"{"jsonrpc":"2.0","id":9,"method":"server/discover","params":{}}"#, -32_601, 9),
      (#"{"jsonrpc":"2.0","id":10,"method":"initialize"}"#, -32_602, 10),
      (#"{"jsonrpc":"2.0","id":11,"method":"tools/call"}"#, -32_602, 11),
      (#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":[1]}"#, -32_602, 12),
      (#"{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"rm"}}"#, -32_602, 13),
    ]
    let ping = #"{"jsonrpc":"2.0","id":"still here","method":"ping"}"#
    let client = try AgentClient(wrong.flatMap { [$0.line, ping] }, in: place.directory)
    try #require(client.answers.count == wrong.count * 2)
    for (place, wrong) in wrong.enumerated() {
      #expect(client.codes[place * 2] == wrong.code, "\(wrong.line.prefix(80))")
      #expect(client.answers[place * 2]["id"] as? Int == wrong.id, "\(wrong.line.prefix(80))")
      #expect(client.answers[place * 2 + 1]["id"] as? String == "still here")
      let error = client.answers[place * 2]["error"] as? [String: Any]
      #expect((error?["message"] as? String)?.hasSuffix(".") == true)
    }
    #expect(client.status == 0)
  }

  @Test func `bytes that are no text are refused`() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Binary.path)
    process.arguments = ["mcp", place.directory]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data([0x22, 0xff, 0xfe, 0x22, 0x0a]))
    try input.fileHandleForWriting.close()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(said.contains("-32700") && said.contains("not UTF-8"))
    #expect(process.terminationStatus == 0)
  }

  @Test func `a line of megabytes is refused without being kept, and the next is served`() throws {
    let long =
      #"{"jsonrpc":"2.0","id":1,"method":""# + String(repeating: "x", count: 3_000_000) + "\"}"
    let ping = #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#
    let client = try AgentClient([long, ping, "", "  \r", long], in: place.directory)
    #expect(client.codes == [-32_600, nil, -32_600])
    #expect(client.out.contains("The line has more than 1000000 bytes."))
    #expect(client.out.utf8.count < 1_000)
  }

  @Test func `what no client expects an answer to gets none`() throws {
    let client = try AgentClient(
      [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        #"{"jsonrpc":"2.0","method":"unknown"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}"#,
      ], in: place.directory)
    #expect(client.out == "")
    #expect(client.status == 0)
  }

  @Test func `a folder that is not there is refused at the start`() throws {
    let run = try Binary(["mcp", "none"], in: place.directory)
    #expect(run.status == 66)
    #expect(
      run.err
        == "Error: Serving 'none': No such file or directory.\n  Name the folder with the recordings.\n"
    )
  }
}
