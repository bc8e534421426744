/// A guide that advice names, with its place in the package.
package enum Guide: String, CaseIterable, CustomStringConvertible {
  case reproducingARecording = "StatyTesting/Documentation.docc/ReproducingARecording.md"
  case recordingNavigation = "Staty/Documentation.docc/RecordingNavigation.md"
  case statyUIKit = "StatyUIKit/Documentation.docc/StatyUIKit.md"
  case replayingMessages = "Staty/Documentation.docc/ReplayingMessages.md"
  case yourOwnControllers = "StatyCommand/Documentation.docc/YourOwnControllers.md"

  /// The path in the package.
  package var path: String { "Sources/\(rawValue)" }
  package var description: String { "the guide \(path)" }
}
