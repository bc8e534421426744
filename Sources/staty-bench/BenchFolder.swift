import Foundation
import StatyHistory
import StatyRecorder

/// The folder of this run's files, so that two runs at once do not meet.
enum BenchFolder {
  /// Made when the first file is wanted.
  private static let folder: String = {
    let folder = NSTemporaryDirectory() + "staty-bench-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }()

  /// The path of a file of this name.
  static func path(_ name: String) -> String { folder + "/" + name }

  /// Removes a history and what is kept beside it, if they are there.
  static func removeHistory(at path: String) {
    for ending in [""] + HistoryFile.companions {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
  }

  /// Removes the folder with all that is in it.
  static func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

extension RecorderOptions {
  /// A bench counts its events, so none may be deleted.
  static var keepingAll: RecorderOptions {
    var options = RecorderOptions(app: "bench")
    options.retention = Retention()
    return options
  }
}
