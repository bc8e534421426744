// The program is linked with the testing libraries, which programs can only do on Linux.
#if os(Linux)
  import Foundation
  import Testing

  /// An expectation that fails outside of a test.
  @Suite struct OutsideTests {
    @Test func `outside of a test, a failed expectation ends the process with its message`() throws
    {
      let process = Process()
      process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OutsideProbe")
      // No backtrace is needed, because the message has the place.
      process.environment = ["SWIFT_BACKTRACE": "enable=no"]
      let (out, err) = (Pipe(), Pipe())
      process.standardOutput = out
      process.standardError = err
      try process.run()
      // The output fits into the pipe, so reading it later does not block the process.
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      let said = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let told = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(!said.contains("passed over"))
      #expect(told.contains("main.swift:9: "), "\(told)")
      #expect(told.contains("An expectation of StatyTesting failed outside of a test."), "\(told)")
      #expect(told.contains("Another order than expected"), "\(told)")
      #expect(told.contains("- entered loading"), "\(told)")
    }
  }
#endif
