import Foundation
import Testing

/// A run of the tool, and what it took.
struct BoundedRun {
  /// The tool: the one that is tested, or a release build that `STATY_HOSTILE_TOOL` names.
  private static let tool = ProcessInfo.processInfo.environment["STATY_HOSTILE_TOOL"]
  /// How much of the processor's time a run may take: two seconds, and ten times as much where the
  /// tool is built for the debugger and checked at every step.
  static let mostSeconds = tool == nil ? 20 : 2

  let status: Int
  /// Whether a signal ended it: a trap, or that it took more than it may.
  let signal: Int
  /// The most memory that it held.
  let megabytes: Int
  /// How long it and the system worked for it.
  let seconds: Double
  /// What in its output, or the first part of it, could command a terminal.
  let commands: [Unicode.Scalar]
  /// What it has left where temporary files are made.
  let leftovers: [String]

  init(_ arguments: [String]) throws {
    let place = try Place()
    let output = place.path("output")
    let temporary = place.path("temporary")
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Binary.path).deletingLastPathComponent()
      .appendingPathComponent("BoundedProbe")
    process.arguments = ["\(Self.mostSeconds)", output, Self.tool ?? Binary.path] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: temporary)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 4, "\(arguments): \(said)")
    (status, signal) = (numbers[0], numbers[1])
    megabytes = numbers[2] / 1_024
    seconds = Double(numbers[3]) / 1e6
    commands = try Self.commands(in: output)
    leftovers = try FileManager.default.contentsOfDirectory(atPath: temporary)
  }

  /// What in the first part of a file could command a terminal; a history is none that is printed.
  static func commands(in path: String) throws -> [Unicode.Scalar] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let output = try file.read(upToCount: 1 << 20) ?? Data()
    if output.starts(with: Data("SQLite format 3\0".utf8)) { return [] }
    // Nearly every output has none, and a look at bytes shows that.
    let isClean = output.allSatisfy { $0 >= 0x20 && $0 < 0x7f || $0 == 0x0a || $0 == 0x0d }
    if isClean { return [] }
    // What was cut off in the middle of a letter ends with the sign for that.
    return String(decoding: output, as: UTF8.self).unicodeScalars.filter { scalar in
      scalar.value < 0x20 && scalar != "\n" && scalar != "\r"
        || (0x7f...0x9f).contains(scalar.value) || (0x202a...0x202e).contains(scalar.value)
    }
  }
}
