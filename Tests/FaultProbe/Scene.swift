import Foundation
import StatyRecorder

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

  /// Makes what stands there, once for all stories that are to begin with it.
  ///
  /// - Parameter seed: of what the killed process did.
  func beginning(seed: UInt64) -> Beginning {
    switch self {
    case .empty: Beginning()
    case .killed: .ofKilled(seed: seed)
    case .older(let path): .ofOlder(path)
    }
  }
}

/// The files that stand at a history's place when a story begins.
struct Beginning {
  /// By how their names end.
  private var files: [String: [UInt8]] = [:]
  private var promise = Promise()
  /// What had been acknowledged, which stands in a ring; a loss of power may take it.
  private(set) var acknowledged: [String: Promise.Share] = [:]

  /// Puts them there, and begins the story.
  func story(at place: Workplace, seed: UInt64) -> Story {
    for (suffix, bytes) in files { place.write(bytes, to: place.path + suffix) }
    var story = Story(at: place.path, seed: seed)
    story.promise = promise
    // What was there before is a session already.
    if !files.isEmpty { story.sessions = 1 }
    return story
  }

  /// Everything beside one another that stands there while a process records, which is what a kill
  /// leaves, with what its app had been told.
  fileprivate static func ofKilled(seed: UInt64) -> Beginning {
    var beginning = Beginning()
    let stage = Workplace()
    var story = Story(at: stage.path, seed: seed)
    story.sessions = 1
    story.name = "left "
    // Once it has nothing to do any more, nobody writes while its files are taken.
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
  /// Waits until its thread gathers events that it does not take yet.
  fileprivate func waitUntilAtRest() {
    for _ in 0..<1_000 {
      mark("note at the end")
      usleep(5_000)
      if statistics.queued > 0 { return }
    }
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

  func write(_ bytes: [UInt8], to place: String) {
    guard FileManager.default.createFile(atPath: place, contents: Data(bytes)) else {
      fail("\(place) cannot be written")
    }
  }
}
