// The program is linked with the testing libraries, which programs can only do on Linux.
#if os(Linux)
  import Foundation
  import Testing

  /// What happens outside of a test.
  @Suite struct OutsideTests {
    @Test func `outside of a test, a failed expectation ends the process with its message`() throws
    {
      let (said, told) = try run()
      #expect(!said.contains("passed over"))
      #expect(told.contains("main.swift:22: "), "\(told)")
      #expect(told.contains("An expectation of StatyTesting failed outside of a test."), "\(told)")
      #expect(told.contains("Another order than expected"), "\(told)")
      #expect(told.contains("- entered loading"), "\(told)")
    }

    @Test func `a crash in one order tells how to repeat it`() throws {
      let (_, told) = try run("crash")
      #expect(
        told.contains("This happened in a search of orders. To repeat it: repeating: \"0:1\""),
        "\(told)")
    }

    /// Runs the program, which crashes, and returns what it has written.
    private func run(_ arguments: String...) throws -> (out: String, err: String) {
      let process = Process()
      process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OutsideProbe")
      process.arguments = arguments
      // No backtrace is needed, because the message has the place.
      process.environment = ["SWIFT_BACKTRACE": "enable=no"]
      let (out, err) = (Pipe(), Pipe())
      process.standardOutput = out
      process.standardError = err
      try process.run()
      // The output fits into the pipe, so reading it later does not block the process.
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      return (
        String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
        String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      )
    }
  }
#endif
