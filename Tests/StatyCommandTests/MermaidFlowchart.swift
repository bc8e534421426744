import Foundation
import Testing

/// A flowchart with the part of Mermaid's documented syntax that the tool writes, and nothing more.
///
/// See https://mermaid.js.org/syntax/flowchart.html.
struct MermaidFlowchart {
  private(set) var nodes: [String: String] = [:]
  private(set) var arrows: [(from: String, to: String, isDotted: Bool)] = []
  private(set) var red: Set<Int> = []

  /// A line that is none of these has nothing to do in a flowchart.
  init(_ text: String) throws {
    // As Mermaid's lexer ends lines: by line feeds alone.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0) }
    try #require(lines.first == "flowchart LR" && lines.last == "")
    lines = Array(lines.dropFirst().dropLast())
    var depth = 0
    for line in lines {
      let line = line.trimmingCharacters(in: CharacterSet(charactersIn: " "))
      if let found = try /subgraph [a-z0-9]+\["(.*)"\]/.wholeMatch(in: line) {
        try Self.checkText(String(found.1))
        depth += 1
      } else if line == "end" {
        depth -= 1
        try #require(depth >= 0)
      } else {
        try take(line)
      }
    }
    try #require(depth == 0)
  }

  private mutating func take(_ line: String) throws {
    if let found = try /([a-z0-9]+)(?:\("(.*)"\)|\(\("(.*)"\)\))/.wholeMatch(in: line) {
      let text = String(found.2 ?? found.3 ?? "")
      try Self.checkText(text)
      try #require(nodes[String(found.1)] == nil)
      nodes[String(found.1)] = text
    } else if let found = try /([a-z0-9]+) (-->|-\.->)\|"(.*)"\| ([a-z0-9]+)/.wholeMatch(in: line) {
      try Self.checkText(String(found.3))
      let (from, to) = (String(found.1), String(found.4))
      try #require(nodes[from] != nil && nodes[to] != nil)
      arrows.append((from, to, found.2 == "-.->"))
    } else if let found = try /linkStyle ([0-9,]+) stroke:#c62828,color:#c62828/.wholeMatch(
      in: line)
    {
      red = Set(try found.1.split(separator: ",").map { try #require(Int($0)) })
      try #require(red.allSatisfy { arrows.indices.contains($0) })
    } else if let found = try /class ([a-z0-9,]+) unseen/.wholeMatch(in: line) {
      try #require(found.1.split(separator: ",").allSatisfy { nodes[String($0)] != nil })
    } else {
      try #require(line == "classDef unseen stroke-dasharray:4 4,color:gray", "\(line)")
    }
  }

  /// Between quotes there may be anything but a quote; of HTML there is only the break that the tool
  /// puts in, and what Mermaid takes for an entity is one.
  private static func checkText(_ text: String) throws {
    let rest = text.replacing("<br/>", with: "")
    for scalar in rest.unicodeScalars {
      try #require(!"\"<>&\\`{}%".unicodeScalars.contains(scalar), "\(text)")
      try #require(scalar.properties.generalCategory != .control)
    }
    // By scalars, as Mermaid reads it.
    let plain = rest.replacing(Self.entity, with: "").unicodeScalars
    try #require(plain.allSatisfy { $0 != "#" && $0 != ";" })
  }

  private static var entity: Regex<(Substring, Substring)> {
    /#([0-9]+);/.matchingSemantics(.unicodeScalar)
  }

  /// The text of a node as it is shown.
  func shown(_ node: String) -> String {
    (nodes[node] ?? "").replacing(Self.entity) { found in
      UInt32(found.1).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
    }
  }
}
