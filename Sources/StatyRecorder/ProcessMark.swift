import Foundation

/// What a session says of the process that recorded it.
public enum ProcessMark {
  /// The name of the running program.
  public static var name: String { ProcessInfo.processInfo.processName }

  /// The name and version of the system.
  static var system: String {
    #if os(Linux)
      "Linux " + ProcessInfo.processInfo.operatingSystemVersionString
    #else
      ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }
}
