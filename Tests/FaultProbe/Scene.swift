import Foundation
import StatyRecorder

/// The state of a history when a story begins.
enum Scene: CustomStringConvertible {
  /// There is no file.
  case empty
  /// A process was killed while it recorded, so its ring is recovered first.
  case killed
  /// The history has an older schema and is migrated first.
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

  /// Creates the files, once for all stories that begin with them.
  ///
  /// - Parameter seed: the seed of the killed process's story.
  func beginning(seed: UInt64) -> Beginning {
    switch self {
    case .empty: Beginning()
    case .killed: .ofKilled(seed: seed)
    case .older(let path): .ofOlder(path)
    }
  }
}

/// The files of a history when a story begins.
struct Beginning {
  /// By the endings of their names.
  private var files: [String: [UInt8]] = [:]
  private var promise = Promise()
  /// The acknowledged events, which are in a ring.
  ///
  /// A loss of power can lose them.
  private(set) var acknowledged: [String: Promise.Share] = [:]

  /// Writes the files, and begins the story.
  func story(at place: Workplace, seed: UInt64) -> Story {
    for (suffix, bytes) in files { place.write(bytes, to: place.path + suffix) }
    var story = Story(at: place.path, seed: seed)
    story.promise = promise
    // The earlier events are in a session already.
    if !files.isEmpty { story.sessions = 1 }
    return story
  }

  /// The files while a process records, which are those that a kill leaves, and the events that were promised to
  /// the app.
  fileprivate static func ofKilled(seed: UInt64) -> Beginning {
    var beginning = Beginning()
    let stage = Workplace()
    var story = Story(at: stage.path, seed: seed)
    story.sessions = 1
    story.name = "left "
    // When the writer is idle, the files do not change while they are copied.
    story.gathering = .seconds(3_600)
    story.beforeLeaving = { recorder in
      var told: RecorderStatistics
      repeat {
        recorder.waitUntilAtRest()
        told = recorder.statistics
        for suffix in ["", "-wal", "-ring"] {
          beginning.files[suffix] = FileManager.default.contents(atPath: stage.path + suffix)
            .map { [UInt8]($0) }
        }
      } while recorder.statistics != told
      beginning.acknowledged = [recorder.uuid: .init(told)]
    }
    story.play()
    beginning.promise = story.promise
    let copy = Workplace()
    copy.write(beginning.files["-ring"] ?? [], to: copy.path)
    guard let waiting = try? FlightRing.waiting(path: copy.path).records, waiting > 0 else {
      fail("nothing waits in the ring that is left")
    }
    return beginning
  }

  fileprivate static func ofOlder(_ path: String) -> Beginning {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      fail("there is no \(path)")
    }
    let place = Workplace()
    place.write([UInt8](bytes), to: place.path)
    var beginning = Beginning()
    beginning.files[""] = [UInt8](bytes)
    beginning.promise.before = Verdict.sessions(at: place.path)
    return beginning
  }
}

extension HistoryRecorder {
  /// Waits until the writer's thread rests and gathers events.
  fileprivate func waitUntilAtRest() {
    for _ in 0..<1_000 {
      mark("note at the end")
      usleep(5_000)
      if statistics.queued > 0 { return }
    }
  }
}

/// A directory in memory for one run, and the path of a history in it.
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

  func write(_ bytes: [UInt8], to place: String) {
    guard FileManager.default.createFile(atPath: place, contents: Data(bytes)) else {
      fail("\(place) cannot be written")
    }
  }
}
