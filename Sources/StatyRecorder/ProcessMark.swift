import Foundation

/// The app and system of a session's process.
package struct ProcessMark: Hashable, Sendable {
  /// The app's name, cut to 160 bytes in the ring.
  package var app = ""
  /// The app's version, cut to 96 bytes in the ring.
  package var appVersion = ""
  /// The name and version of the system, cut to 128 bytes in the ring.
  package var os = ""

  package init(app: String = "", appVersion: String = "", os: String = "") {
    (self.app, self.appVersion, self.os) = (app, appVersion, os)
  }

  /// The mark of this process.
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
