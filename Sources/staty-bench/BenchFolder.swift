import Foundation
import StatyHistory
import StatyRecorder

/// The folder of this run's files.
///
/// Each run has its own, so that two runs can happen at once.
enum BenchFolder {
  /// Created with the first file.
  private static let folder: String = {
    let folder = NSTemporaryDirectory() + "staty-bench-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }()

  /// The path of a file of this name.
  static func path(_ name: String) -> String { folder + "/" + name }

  /// Removes a history and the files next to it, if they exist.
  static func removeHistory(at path: String) {
    for ending in [""] + HistoryFile.companions {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
  }

  /// Removes the folder and its contents.
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
