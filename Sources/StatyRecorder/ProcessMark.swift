import Foundation

/// What a session says of the process that recorded it.
package struct ProcessMark: Hashable, Sendable {
  /// The app's name; 160 bytes of it are kept.
  package var app = ""
  /// The app's version; 96 bytes of it are kept.
  package var appVersion = ""
  /// The name and version of the system.
  package var os = ""

  package init(app: String = "", appVersion: String = "", os: String = "") {
    (self.app, self.appVersion, self.os) = (app, appVersion, os)
  }

  /// What is said of this process.
  init(_ options: RecorderOptions) {
    self.init(app: options.app, appVersion: options.appVersion, os: Self.system)
  }

  private static var system: String {
    #if os(Linux)
      "Linux " + ProcessInfo.processInfo.operatingSystemVersionString
    #else
      ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }
}
