import Foundation

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// Who runs the test that is under way.
private enum TestRunner {
  case swiftTesting
  case xcTest
  case nobody

  static var current: TestRunner {
    #if canImport(Testing)
      // A thread of the test's own does not know its test; what is recorded there still fails the run.
      if Test.current != nil || isSwiftTestingProcess { return .swiftTesting }
    #endif
    #if canImport(XCTest)
      if isXCTestProcess { return .xcTest }
    #endif
    return .nobody
  }

  /// SwiftPM runs the tests of each library in a process of their own, and says so.
  private static let isSwiftTestingProcess: Bool = {
    let arguments = CommandLine.arguments
    guard let place = arguments.firstIndex(of: "--testing-library") else { return false }
    return arguments.dropFirst(place + 1).first == "swift-testing"
  }()

  private static let isXCTestProcess: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return CommandLine.arguments.first?.hasSuffix(".xctest") == true
      || environment["XCTestConfigurationFilePath"] != nil
      || environment["XCTestBundlePath"] != nil
      || ProcessInfo.processInfo.processName == "xctest"
  }()
}

/// Lets the test fail that is under way, whichever library it is written for.
///
/// Outside of any test the process ends: a failed expectation is never passed over.
func reportFailure(_ message: String, at location: TestLocation) {
  switch TestRunner.current {
  case .swiftTesting:
    #if canImport(Testing)
      Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(
          fileID: "\(location.fileID)", filePath: "\(location.filePath)",
          line: Int(location.line), column: Int(location.column)))
    #endif
  case .xcTest:
    #if canImport(XCTest)
      XCTFail(message, file: location.filePath, line: location.line)
    #endif
  case .nobody:
    fatalError(
      "An expectation of StatyTesting failed outside of a test. \(message)",
      file: location.filePath,
      line: location.line)
  }
}
