import Foundation

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// The testing libraries that a process runs.
struct TestRunners: OptionSet {
  let rawValue: Int
  static let swiftTesting = TestRunners(rawValue: 1)
  static let xcTest = TestRunners(rawValue: 2)

  /// The libraries that a failure is reported to.
  fileprivate static var current: TestRunners {
    #if canImport(Testing)
      if Test.current != nil { return .swiftTesting }
    #endif
    return ofProcess
  }

  // A thread that the test has started does not know its test. A failure there still fails the run.
  private static let ofProcess = TestRunners(
    arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
    process: ProcessInfo.processInfo.processName)
}

extension TestRunners {
  /// Finds the libraries of a process from its arguments and environment.
  init(arguments: [String], environment: [String: String], process: String) {
    let isXcode =
      environment["XCTestConfigurationFilePath"] != nil || environment["XCTestBundlePath"] != nil
    if let place = arguments.firstIndex(of: "--testing-library"),
      arguments.dropFirst(place + 1).first == "swift-testing"
    {
      // SwiftPM runs the tests of each library in a separate process, and passes this argument.
      self = .swiftTesting
    } else if isXcode {
      // Xcode runs both in one process, and only one of them knows the current test.
      self = [.swiftTesting, .xcTest]
    } else if arguments.first?.hasSuffix(".xctest") == true || process == "xctest" {
      self = .xcTest
    } else {
      self = []
    }
  }
}

/// Lets the current test fail, in the testing library that runs it.
///
/// Outside of a test the process ends, so that no failure is overlooked.
func reportFailure(_ message: String, at location: TestLocation) {
  let runners = TestRunners.current
  if runners.isEmpty {
    fatalError(
      "An expectation of StatyTesting failed outside of a test. \(message)",
      file: location.filePath,
      line: location.line)
  }
  #if canImport(Testing)
    if runners.contains(.swiftTesting) {
      Issue.record(Comment(rawValue: message), sourceLocation: location.sourceLocation)
    }
  #endif
  #if canImport(XCTest)
    if runners.contains(.xcTest) {
      XCTFail(message, file: location.filePath, line: location.line)
    }
  #endif
}

/// Reports a warning, which does not let the test fail, in Swift Testing; XCTest has none.
func reportWarning(_ message: String, at location: TestLocation) {
  #if canImport(Testing)
    guard TestRunners.current.contains(.swiftTesting) else { return }
    Issue.record(
      Comment(rawValue: message), severity: .warning, sourceLocation: location.sourceLocation)
  #endif
}

#if canImport(Testing)
  extension TestLocation {
    fileprivate var sourceLocation: SourceLocation {
      SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
  }
#endif
