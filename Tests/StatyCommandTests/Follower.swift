import Foundation

/// The running tool, with lines that are read one at a time.
final class Follower {
  let process = Process()
  private let pipe = Pipe()
  private let errors = Pipe()
  private var waiting: [String] = []
  private var rest = ""

  init(_ arguments: [String], in directory: String) throws {
    process.executableURL = URL(fileURLWithPath: Binary.path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.standardOutput = pipe
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The next line; none at the end.
  func line() -> String? {
    while waiting.isEmpty {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      var lines = (rest + String(decoding: data, as: UTF8.self)).components(separatedBy: "\n")
      rest = lines.removeLast()
      waiting = lines
    }
    return waiting.removeFirst()
  }

  /// The next line with this text; none if it ends before.
  func line(with text: String) -> String? {
    while let line = line() { if line.contains(text) { return line } }
    return nil
  }

  /// What it says on standard error, after it has ended.
  func notes() throws -> String {
    String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  func closeReading() { try? pipe.fileHandleForReading.close() }
}
