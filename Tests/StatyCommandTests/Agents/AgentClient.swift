import Foundation
import Testing

@testable import StatyCommand

/// What `staty mcp` says to the lines of a client, in a process of its own.
struct AgentClient {
  /// The lines that it answers, in order.
  let answers: [[String: Any]]
  let out: String
  let status: Int32

  init(
    _ lines: [String], in folder: String, arguments: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    let run = try Binary(
      ["mcp"] + arguments, in: folder, environment: environment,
      input: lines.joined(separator: "\n"))
    (out, status) = (run.out, run.status)
    answers = try run.out.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(run.err == "")
  }

  /// A call of each tool with arguments in JSON.
  init(
    calls: [(tool: String, arguments: String)], in folder: String,
    environment: [String: String] = [:]
  ) throws {
    let lines = calls.enumerated().map { number, call in
      """
      {"jsonrpc":"2.0","id":\(number),"method":"tools/call","params":\
      {"name":"\(call.tool)","arguments":\(call.arguments)}}
      """
    }
    try self.init(lines, in: folder, environment: environment)
    #expect(answers.map { $0["id"] as? Int } == Array(calls.indices))
  }

  /// The result of each answer; none of an error.
  var results: [AgentResult?] {
    answers.map { ($0["result"] as? [String: Any]).map(AgentResult.init) }
  }

  /// The codes of errors; none where there is a result.
  var codes: [Int?] { answers.map { ($0["error"] as? [String: Any])?["code"] as? Int } }
}

/// The result of one call.
struct AgentResult {
  let texts: [String]
  let data: [String: Any]?
  let isError: Bool

  init(_ result: [String: Any]) {
    let content = result["content"] as? [[String: Any]] ?? []
    texts = content.filter { $0["type"] as? String == "text" }.compactMap { $0["text"] as? String }
    data = result["structuredContent"] as? [String: Any]
    isError = result["isError"] as? Bool ?? true
  }

  /// The first verdict.
  var verdict: [String: Any]? { (data?["verdicts"] as? [[String: Any]])?.first }
}
