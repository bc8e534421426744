import Testing

@testable import StatyTesting

/// The testing library that gets a failure which is not reported on its test's thread.
@Suite struct ReportingTests {
  @Test func `SwiftPM's arguments show which library's tests a process runs`() {
    let arguments = ["helper", "a.xctest", "--testing-library", "swift-testing"]
    #expect(runners(arguments) == .swiftTesting)
    #expect(runners(["/build/AppTests.xctest"]) == .xcTest)
    #expect(runners(["/usr/bin/xctest", "AppTests.xctest"], process: "xctest") == .xcTest)
  }

  @Test(arguments: ["XCTestConfigurationFilePath", "XCTestBundlePath"])
  func `in Xcode, one process runs the tests of both libraries`(variable: String) {
    let both: TestRunners = [.swiftTesting, .xcTest]
    #expect(runners(["/App.app/App"], [variable: "/tmp/x"], process: "App") == both)
    #expect(runners(["xctest"], [variable: "/tmp/x"], process: "xctest") == both)
  }

  @Test func `an app that is not a test runs no tests`() {
    #expect(runners(["/App.app/App"], process: "App").isEmpty)
    #expect(runners([]).isEmpty)
  }

  private func runners(
    _ arguments: [String], _ environment: [String: String] = [:], process: String = "helper"
  ) -> TestRunners {
    TestRunners(arguments: arguments, environment: environment, process: process)
  }
}
