import Testing

@testable import StatyTesting

/// To which library's tests a failure belongs that is reported off the thread of its test.
@Suite struct ReportingTests {
  @Test func `SwiftPM says whose tests a process runs`() {
    let arguments = ["helper", "a.xctest", "--testing-library", "swift-testing"]
    #expect(runners(arguments) == .swiftTesting)
    #expect(runners(["/build/AppTests.xctest"]) == .xcTest)
    #expect(runners(["/usr/bin/xctest", "AppTests.xctest"], process: "xctest") == .xcTest)
  }

  @Test(arguments: ["XCTestConfigurationFilePath", "XCTestBundlePath"])
  func `in Xcode, where one process runs both, both are told`(variable: String) {
    let both: TestRunners = [.swiftTesting, .xcTest]
    #expect(runners(["/App.app/App"], [variable: "/tmp/x"], process: "App") == both)
    #expect(runners(["xctest"], [variable: "/tmp/x"], process: "xctest") == both)
  }

  @Test func `an app that is no test runs none`() {
    #expect(runners(["/App.app/App"], process: "App").isEmpty)
    #expect(runners([]).isEmpty)
  }

  private func runners(
    _ arguments: [String], _ environment: [String: String] = [:], process: String = "helper"
  ) -> TestRunners {
    TestRunners(arguments: arguments, environment: environment, process: process)
  }
}
