import Foundation
import Testing

/// The guide shows the app that is compiled and tried here.
@Suite struct FeedGuideTests {
  @Test(arguments: ["FeedModel", "FeedReplay"])
  func `what the guide shows is what is compiled`(file: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let source = try String(
      contentsOf: tests.appending(path: "Feed/\(file).swift"), encoding: .utf8)
    let guide = try String(
      contentsOf: tests.appending(
        path: "../../Sources/Staty/Documentation.docc/ReplayingMessages.md"), encoding: .utf8)
    #expect(guide.contains("```swift\n\(source)```\n"))
  }
}
