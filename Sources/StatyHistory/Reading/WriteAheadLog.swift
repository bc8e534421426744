import LibC
import StatySQLite

/// A place where a log cannot be read further, although more was written since its last restart.
///
/// SQLite reads up to the first frame with a wrong checksum, and reports nothing. A power loss
/// while the log is written leaves such an end, and nothing acknowledged is behind it. A flipped
/// bit in the middle looks the same, but hides everything that was committed behind it.
package struct LogBreak: Equatable, Sendable {
  /// The frame at which it begins, from 1; 0 for the log's header.
  package var frame: Int
  /// How many transactions were committed in that frame and behind it.
  package var commits: Int
}

extension HistoryFile {
  /// The header of a file, as its log has it.
  ///
  /// If power is lost while the log is copied into the file, the log still holds a whole copy.
  package static func loggedHeader(of path: String) -> [UInt8]? {
    let log = WriteAheadLog.open(of: path)
    guard log >= 0 else { return nil }
    defer { close(log) }
    return WriteAheadLog(log).places[1].flatMap { WriteAheadLog.bytes(100, of: log, at: $0) }
  }
}

/// The pages in a log that have right checksums and belong to committed transactions.
package struct WriteAheadLog {
  /// The size of a page, as every recorder makes it.
  package static let pageSize = 4_096

  /// Opens the log of a history to read it; returns a negative number if there is none.
  package static func open(of path: String) -> Int32 {
    LibC.open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
  }

  /// The place in the log of the newest content of each page.
  package private(set) var places: [UInt32: Int64] = [:]
  /// The number of pages that the last commit names.
  package private(set) var pages = 0
  /// The page size in the header; none if there is no header.
  package private(set) var pageSize: Int?
  /// The end of the part that can be read.
  private var end: Int64 = 0
  /// The salts of all frames since the last restart; empty if they are not known.
  private var salts: [UInt8] = []

  /// An empty log.
  package init() {}

  package init(_ descriptor: Int32) {
    guard let header = Self.bytes(32, of: descriptor, at: 0) else { return }
    // If the header is damaged, the first frame has the same salts.
    salts = Self.bytes(16, of: descriptor, at: 32).map { Array($0[8...]) } ?? []
    guard header.number(at: 0) & ~1 == 0x377f_0682 else { return }
    var sum = Checksum(isBig: header.number(at: 0) & 1 == 1)
    sum.add(header[0..<24])
    guard sum.matches(header, at: 24) else { return }
    pageSize = Int(header.number(at: 8))
    guard pageSize == Self.pageSize else { return }
    salts = Array(header[16..<24])
    var place: Int64 = 32
    defer { end = place }
    var pending: [UInt32: Int64] = [:]
    while let frame = Self.bytes(Self.frameBytes, of: descriptor, at: place),
      frame[8..<16] == header[16..<24], frame.number(at: 0) != 0
    {
      sum.add(frame[0..<8])
      sum.add(frame[24...])
      guard sum.matches(frame, at: 16) else { return }
      pending[frame.number(at: 0)] = place + 24
      if frame.number(at: 4) != 0 {
        places.merge(pending) { $1 }
        pending = [:]
        pages = Int(frame.number(at: 4))
      }
      place += Int64(frame.count)
    }
  }

  /// The break before the end of the log, if there is one.
  ///
  /// Frames from before the last restart differ in both salts. Frames of a transaction that was
  /// never committed have the same salts, and none of them is a commit.
  package func breaking(_ descriptor: Int32, pagesInFile: Int) -> LogBreak? {
    guard salts.count == 8, salts.contains(where: { $0 != 0 }) else { return nil }
    var commits = 0
    var place = max(end, 32)
    // A log may consist of holes.
    for _ in 0..<Self.mostBehind {
      guard let frame = Self.bytes(24, of: descriptor, at: place) else { break }
      let isOfNow = frame[8..<12] == salts[..<4] || frame[12..<16] == salts[4...]
      let size = Int(frame.number(at: 4))
      if isOfNow, frame.number(at: 0) != 0, size > 0, size <= 16 * pagesInFile + 100_000 {
        commits += 1
      }
      place += Int64(Self.frameBytes)
    }
    guard commits > 0 else { return nil }
    return LogBreak(
      frame: end == 0 ? 0 : Int(end - 32) / Self.frameBytes + 1, commits: commits)
  }

  private static let frameBytes = 24 + pageSize
  /// How many frames behind the break are checked.
  private static let mostBehind = 20_000

  static func bytes(_ count: Int, of descriptor: Int32, at place: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(place)) == count ? bytes : nil
  }

  /// The checksum that runs through a log.
  private struct Checksum {
    let isBig: Bool
    private var one: UInt32 = 0
    private var other: UInt32 = 0

    init(isBig: Bool) { self.isBig = isBig }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
        one &+= word(bytes, place) &+ other
        other &+= word(bytes, place + 4) &+ one
      }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
      let word = bytes.number(at: place)
      return isBig ? word : word.byteSwapped
    }

    func matches(_ bytes: [UInt8], at place: Int) -> Bool {
      bytes.number(at: place) == one && bytes.number(at: place + 4) == other
    }
  }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// The four bytes from a place on as a number, the largest first.
  package func number(at place: Int) -> UInt32 {
    UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8
      | UInt32(self[place + 3])
  }

  /// The two bytes from a place on as a number, the larger first.
  package func short(at place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }
}
