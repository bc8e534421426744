import Foundation
import StatyHistory
import StatyReading

/// A directory for one history, in memory where there is such a thing; it goes when this does.
final class Place {
  private let directory: String
  let history: String
  let ring: String

  /// An empty history, which is copied: to make one takes far longer than most doors do.
  private static let template: [UInt8] = {
    let place = try! Place()
    try! HistoryWriter(path: place.history).close()
    return try! read(place.history)
  }()

  init() throws {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    var template = Array((parent + "/staty-door-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw Broken("there is no place for files") }
    directory = URL(fileURLWithPath: String(cString: made)).resolvingSymlinksInPath().path
    history = directory + "/history.sqlite"
    ring = history + "-ring"
  }

  /// A place with a history in which there is nothing yet.
  static func begun() throws -> Place {
    let place = try Place()
    try write(template, to: place.history)
    return place
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  static func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  /// All that the history says, which must be whole.
  func whatItSays() throws -> String {
    let reader = try HistoryReader(receivedAt: history)
    if let fault = try reader.firstStorageFault() { throw Broken("a history with \(fault)") }
    for session in try reader.sessions() {
      if let damage = try ChainVerifier(reader).firstDamage(session: session.id) {
        throw Broken("a history with \(damage)")
      }
    }
    var text = ""
    try HistoryExport(reader).write(reader.sessions()) { text += $0 }
    return text
  }
}
