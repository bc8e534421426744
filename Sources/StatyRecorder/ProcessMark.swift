import Foundation

/// What a session says of the process that recorded it.
enum ProcessMark {
  /// The name and version of the system.
  static var system: String {
    #if os(Linux)
      "Linux " + ProcessInfo.processInfo.operatingSystemVersionString
    #else
      ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }
}
