import Foundation
import StatyHistory

/// What the system is told of the recorder's files.
///
/// On iOS and its like they can be read from the first unlock on, so that an app that is started in
/// the background can record, and stay out of backups: a history is of no use on another device.
/// Elsewhere this does nothing.
enum FileProtection {
  /// Protects the history, SQLite's files next to it, and the rings.
  ///
  /// If the system refuses a file, recording goes on without protecting it.
  static func protect(history path: String) {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      let beside = ([""] + HistoryFile.companions).map { path + $0 }
      for file in beside + HistoryPlace.leftovers(of: path)
      where FileManager.default.fileExists(atPath: file) {
        try? FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: file)
        var url = URL(fileURLWithPath: file)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
      }
    #endif
  }
}
