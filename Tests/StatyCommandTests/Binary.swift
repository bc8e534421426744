import Foundation

/// Runs the tool itself in a process of its own.
struct Binary {
  let status: Int32
  let out: String
  let err: String

  /// The path of the program, which is in the folder of the test bundle.
  static var path: String {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let directory = (bundle ?? .main).bundleURL.deletingLastPathComponent()
    #else
      let directory = Bundle.main.bundleURL
    #endif
    return directory.appendingPathComponent("staty").path
  }

  /// - Parameters:
  ///   - directory: where it runs, so that paths in what it says are short and the same every time.
  ///   - program: what runs; by default the tool.
  ///   - input: what it can read; by default nothing.
  init(
    program: String = Self.path, _ arguments: [String], in directory: String? = nil,
    environment: [String: String] = [:], input: String = ""
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    var variables = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "COLUMNS"] { variables[name] = nil }
    process.environment = variables.merging(environment) { $1 }
    // Files, since a pipe without a reader would stop the program.
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
      "staty-binary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let files = ["out", "err"].map { scratch.appendingPathComponent($0) }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    let given = scratch.appendingPathComponent("in")
    try Data(input.utf8).write(to: given)
    process.standardInput = try FileHandle(forReadingFrom: given)
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    out = String(decoding: try Data(contentsOf: files[0]), as: UTF8.self)
    err = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
  }

  /// As it is kept in a golden file: the exit status, then both outputs.
  var transcript: String { "exit \(status)\n--- out\n\(out)--- err\n\(err)" }
}
