// The program that this needs is linked with what tests are, which is at hand for programs here alone.
#if os(Linux)
  import Foundation
  import Testing

  /// An expectation that fails where there is no test to let fail.
  @Suite struct OutsideTests {
    @Test func `outside of a test a failed expectation ends the process, and says which`() throws {
      let process = Process()
      process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OutsideProbe")
      // Nobody is to look for where it ended: it says so.
      process.environment = ["SWIFT_BACKTRACE": "enable=no"]
      let (out, err) = (Pipe(), Pipe())
      process.standardOutput = out
      process.standardError = err
      try process.run()
      // It says little, and so is not stopped by a pipe that is read later.
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
