import Foundation
import StatyHistory

/// The attributes of the recorder's files on iOS, tvOS, watchOS and visionOS.
///
/// The files can be read after the first unlock, so that an app that is launched in the background can record.
/// They are excluded from backups, because a history is useless on another device. On other systems this does
/// nothing.
enum FileProtection {
  /// Protects the history, SQLite's files next to it, and the rings.
  ///
  /// If the system refuses this for a file, recording continues without it.
  static func protect(history path: String) {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      let databaseFiles = ([""] + HistoryFile.companions).map { path + $0 }
      for file in databaseFiles + HistoryPlace.oldRings(of: path)
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
