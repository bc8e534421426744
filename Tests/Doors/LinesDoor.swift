import StatyHistory
import StatyReading

enum LinesDoor {
  /// What is taken in is a whole history, and says the same when it is taken in once more.
  static func open(_ bytes: [UInt8]) throws {
    let place = try Place.begun()
    guard try place.take(in: bytes) else { return }
    let first = try place.whatItSays()
    let other = try Place.begun()
    guard try other.take(in: Array(first.utf8)) else {
      throw Broken("what was made of it is refused")
    }
    guard try other.whatItSays() == first else {
      throw Broken("what was made of it says something else the second time")
    }
  }
}

extension Place {
  /// Whether the lines became a history.
  fileprivate func take(in bytes: [UInt8]) throws -> Bool {
    let writer = try HistoryWriter(path: history)
    var reading = HistoryImport(into: writer)
    do {
      try reading.take(bytes)
      _ = try reading.finish()
    } catch let refusal as ImportRefusal {
      guard !refusal.problems.isEmpty else { throw Broken("refused without a reason") }
      return false
    }
    try writer.close()
    return true
  }
}
