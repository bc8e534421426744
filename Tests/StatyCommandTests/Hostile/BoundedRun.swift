import Foundation
import Testing

/// A run of the tool, and what it took.
struct BoundedRun {
  /// How much of the processor's time a run may take: two seconds, and ten times as much where the
  /// tool is built for the debugger and checked at every step.
  static let mostSeconds = 20

  let status: Int
  /// Whether a signal ended it: a trap, or that it took more than it may.
  let signal: Int
  /// The most memory that it held.
  let megabytes: Int
  /// How long it and the system worked for it.
  let seconds: Double

  init(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Binary.path).deletingLastPathComponent()
      .appendingPathComponent("BoundedProbe")
    process.arguments = ["\(Self.mostSeconds)", Binary.path] + arguments
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
  }
}
