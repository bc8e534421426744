import Foundation
import Testing

/// The `RingProbe` executable at work in a process of its own.
final class Probe {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  var pid: Int32 { process.processIdentifier }

  /// Starts it; its first line says how it went.
  init(_ arguments: [String]) throws {
    process.executableURL = Self.executable("RingProbe")
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

  /// Ends its standard input, and waits for it.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func kill() {
    Foundation.kill(pid, SIGKILL)
    process.waitUntilExit()
  }

  /// A program of this package's: it stands beside the test bundle, whichever program that is
  /// loaded into.
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
