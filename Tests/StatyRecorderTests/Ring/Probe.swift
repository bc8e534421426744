import Foundation
import Testing

/// One of this package's probes, running in its own process.
final class Probe {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  var pid: Int32 { process.processIdentifier }

  /// Starts the probe, and reads its first line.
  init(_ arguments: [String], of program: String = "RingProbe") throws {
    process.executableURL = Self.executable(program)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func line() -> String {
    var bytes: [UInt8] = []
    while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The rest of its output, as lines.
  func lines() -> [String] {
    let rest = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Writes a line to its standard input.
  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Closes its standard input, and waits until it has ended.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Waits until it has ended.
  func wait() {
    process.waitUntilExit()
  }

  func kill() {
    Foundation.kill(pid, SIGKILL)
    process.waitUntilExit()
  }

  /// The path of a program of this package.
  ///
  /// It is in the folder of the test bundle.
  static func executable(_ name: String) -> URL {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let directory = (bundle ?? .main).bundleURL.deletingLastPathComponent()
    #else
      let directory = Bundle.main.bundleURL
    #endif
    return directory.appendingPathComponent(name)
  }
}
