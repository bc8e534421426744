import Foundation

/// What stands at a history's place when a story begins.
enum Scene: CustomStringConvertible {
  /// Nothing.
  case empty
  /// What a process left that was killed while it recorded, which is brought in first.
  case killed
  /// A history of an older schema, which is brought up to date first.
  case older(String)

  init(_ name: String) {
    switch name {
    case "empty": self = .empty
    case "killed": self = .killed
    default: self = .older(name)
    }
  }

  var description: String {
    switch self {
    case .empty: "empty"
    case .killed: "killed"
    case .older(let path): path
    }
  }

  /// Sets it up, and begins the story.
  func set(_ place: Workplace, seed: UInt64) -> Story {
    var story = Story(at: place.path, seed: seed)
    switch self {
    case .empty: break
    case .killed:
      story.promise = Crashed.leave(at: place, seed: seed)
      story.sessions = 1
    case .older(let path):
      place.copy(path, to: place.path)
      story.promise.before = Verdict.sessions(at: place.path)
      story.sessions = 1
    }
    return story
  }
}

/// What a process leaves that is killed.
enum Crashed {
  /// Everything beside one another that stands there while it records, which is what a kill leaves.
  ///
  /// - Returns: what its app had been told.
  static func leave(at place: Workplace, seed: UInt64) -> Promise {
    let stage = Workplace()
    var story = Story(at: stage.path, seed: seed)
    story.sessions = 1
    story.name = "left "
    story.beforeLeaving = {
      for suffix in ["", "-wal", "-ring"] {
        place.copy(stage.path + suffix, to: place.path + suffix)
      }
    }
    story.play()
    return story.promise
  }
}

/// A directory in memory for one run, and the path of the history in it.
final class Workplace {
  let directory: String
  let path: String

  init() {
    let shared = "/dev/shm"
    let root = FileManager.default.fileExists(atPath: shared) ? shared : NSTemporaryDirectory()
    directory = root + "/staty-faults-" + UUID().uuidString
    path = directory + "/history.sqlite"
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      fail("\(error)")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  func copy(_ from: String, to place: String) {
    guard let bytes = FileManager.default.contents(atPath: from) else { return }
    write([UInt8](bytes), to: place)
  }

  func write(_ bytes: [UInt8], to place: String) {
    guard FileManager.default.createFile(atPath: place, contents: Data(bytes)) else {
      fail("\(place) cannot be written")
    }
  }
}
