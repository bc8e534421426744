import Foundation
import Testing

/// A sequence diagram with the part of Mermaid's documented syntax that the tool writes, and nothing
/// more.
///
/// See https://mermaid.js.org/syntax/sequenceDiagram.html.
struct MermaidSequence {
  private(set) var participants: [String: String] = [:]
  private(set) var arrows: [(from: String, to: String, isAnswer: Bool, text: String)] = []
  private(set) var notes: [(over: [String], text: String)] = []

  init(_ text: String) throws {
    // As Mermaid's lexer ends lines: by line feeds alone.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0) }
    try #require(lines.first == "sequenceDiagram" && lines.last == "")
    for line in lines.dropFirst().dropLast() { try take(line) }
  }

  private mutating func take(_ line: String) throws {
    if let found = try #/  (?:actor|participant) ([a-z0-9]+)(?: as (.+))?/#.wholeMatch(in: line) {
      let id = String(found.1)
      try #require(participants[id] == nil)
      participants[id] = try Self.shown(found.2 ?? found.1)
    } else if let found = try #/  ([a-z0-9]+)(->>|-->>)([a-z0-9]+): (.+)/#.wholeMatch(in: line) {
      let (from, to) = (String(found.1), String(found.3))
      try #require(participants[from] != nil && participants[to] != nil)
      arrows.append((from, to, found.2 == "-->>", try Self.shown(found.4)))
    } else {
      let found = try #require(
        try #/  Note over ([a-z0-9]+)(?:,([a-z0-9]+))?: (.+)/#.wholeMatch(in: line), "\(line)")
      let over = [found.1, found.2].compactMap { $0.map(String.init) }
      try #require(over.allSatisfy { participants[$0] != nil })
      notes.append((over, try Self.shown(found.3)))
    }
  }

  /// The text as it is shown.
  ///
  /// Between the colon and the end of the line there may be anything but what begins a comment or ends
  /// a statement, and what Mermaid takes for an entity is one.
  private static func shown(_ text: Substring) throws -> String {
    let plain = text.replacing(entity, with: "").unicodeScalars
    for scalar in plain {
      try #require(!"#;\"<>&\\`{}%:$".unicodeScalars.contains(scalar), "\(text)")
      try #require(scalar.properties.generalCategory != .control)
    }
    return String(text).replacing(entity) { found in
      UInt32(found.1).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
    }
  }

  private static var entity: Regex<(Substring, Substring)> {
    /#([0-9]+);/.matchingSemantics(.unicodeScalar)
  }
}
