import LibC
import StatySQLite

/// The pages of a history as they lie on disk, those in the log beside it over those in the file.
///
/// Nothing is believed but that a page has 4,096 bytes, as every recorder makes it: what the file's
/// header says may be what is damaged. So how many bytes are reserved at each page's end the pages are
/// asked, and not the header.
final class PageSource {
  static let pageSize = 4_096

  /// How many pages there are, with a last one that is cut off.
  let count: Int
  /// How many of them stand anywhere, with those that stand in both file and log twice.
  let present: Int
  /// How many there should be, by what the header or the log says.
  private(set) var claimed = 0
  /// What the log alone says of it, if anything was committed to it.
  let claimedInLog: Int?
  /// How large the pages are by the log; none if it is no log.
  let pageSizeInLog: Int?
  /// Where the log breaks off before its end.
  private(set) lazy var logBreak = logPages.breaking(log, pagesInFile: pagesInFile)
  /// How many bytes of a page are used.
  private(set) var usable = PageSource.pageSize
  private let file: Int32
  private let log: Int32
  private let logPages: LogPages
  private let pagesInFile: Int
  // In a file that was made to do harm each row may say that it goes on through all the others.
  private var stepsLeft: Int

  /// - Parameters:
  ///   - path: of a regular file.
  ///   - hasLog: whether the log beside it counts.
  init(_ path: String, hasLog: Bool = true) throws(HistoryError) {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      throw .notCopied(doing: "opening", reason: String(cString: strerror(errno)))
    }
    var status = stat()
    fstat(file, &status)
    log = hasLog ? open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1
    let found = log < 0 ? LogPages() : LogPages(log)
    claimedInLog = found.pages > 0 ? found.pages : nil
    pageSizeInLog = found.pageSize
    let inFile = (Int(status.st_size) + Self.pageSize - 1) / Self.pageSize
    (logPages, pagesInFile) = (found, inFile)
    present = inFile + found.places.count
    // A log may tell of one page with any number. A few may be missing before it: one that nobody uses
    // need not have been written.
    let most = min(16 * present + 1_000, Int(Int32.max))
    count = min(max(inFile, Int(found.places.keys.max() ?? 0)), most)
    stepsLeft = 16 * count + 1_000
    claimed = claimedInLog ?? pagesInHeader
    usable = usableByPages
  }

  deinit {
    close(file)
    if log >= 0 { close(log) }
  }

  /// The bytes of a page that are used, from 1; none if it is not there as a whole.
  func page(_ number: Int) -> [UInt8]? {
    guard var bytes = bytes(of: number, isPadded: false) else { return nil }
    bytes.removeLast(Self.pageSize - usable)
    return bytes
  }

  /// All bytes of a page, from 1, with zeros in the place of what was cut off, as SQLite has it.
  func padded(_ number: Int) -> [UInt8]? { bytes(of: number, isPadded: true) }

  private func bytes(of number: Int, isPadded: Bool) -> [UInt8]? {
    guard number > 0, number <= count else { return nil }
    let inLog = logPages.places[UInt32(number)]
    let place = inLog ?? Int64(number - 1) * Int64(Self.pageSize)
    var bytes = [UInt8](repeating: 0, count: Self.pageSize)
    let length = pread(inLog == nil ? file : log, &bytes, Self.pageSize, off_t(place))
    return length == Self.pageSize || isPadded && length > 0 ? bytes : nil
  }

  /// So many pages, from all of the file, are asked how large they are.
  private static let asked = 128

  private var usableByPages: Int {
    var votes: [Int: Int] = [:]
    for number in stride(from: 1, through: count, by: count / Self.asked + 1) {
      guard let bytes = padded(number),
        let usable = TreePage.usable(of: bytes, isFirst: number == 1)
      else { continue }
      votes[usable, default: 0] += 1
    }
    let most = votes.values.max() ?? 0
    let best = votes.filter { $0.value == most }.keys
    return best.count == 1 ? best.first! : Self.pageSize
  }

  private var pagesInHeader: Int {
    guard let first = page(1), first.starts(with: DatabaseFile.mark) else { return 0 }
    return Int(first.number(at: 28))
  }
}

/// The pages that a log has, as far as its checksums hold and something was committed.
private struct LogPages {
  var places: [UInt32: Int64] = [:]
  /// How many pages the last commit says that there are.
  var pages = 0
  /// How large they are by the header; none if there is none.
  var pageSize: Int?
  /// Where what can be read of it ends.
  private var end: Int64 = 0
  /// What each frame has that was written since the log was begun anew; none if that is not known.
  private var salts: [UInt8] = []

  init() {}

  init(_ descriptor: Int32) {
    guard let header = Self.bytes(32, of: descriptor, at: 0) else { return }
    // Of a header that is damaged the first frame has what there is to know.
    salts = Self.bytes(16, of: descriptor, at: 32).map { Array($0[8...]) } ?? []
    guard header.number(at: 0) & ~1 == 0x377f_0682 else { return }
    let isBig = header.number(at: 0) & 1 == 1
    var sum = LogSum(isBig: isBig)
    sum.add(header[0..<24])
    guard sum.matches(header, at: 24) else { return }
    pageSize = Int(header.number(at: 8))
    guard pageSize == PageSource.pageSize else { return }
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

  /// Where it breaks off though there is more.
  ///
  /// What was written before the log was begun anew has other salts, both of them. What somebody had
  /// begun to write who was killed, and was written over, has the same; but nothing of it was committed.
  func breaking(_ descriptor: Int32, pagesInFile: Int) -> LogBreak? {
    guard salts.count == 8, salts.contains(where: { $0 != 0 }) else { return nil }
    var commits = 0
    var place = max(end, 32)
    // A log may be all holes.
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

  private static let frameBytes = 24 + PageSource.pageSize
  /// No more frames are looked at behind the break.
  private static let mostBehind = 20_000

  private static func bytes(_ count: Int, of descriptor: Int32, at place: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(place)) == count ? bytes : nil
  }
}

/// The sum that runs through a log.
private struct LogSum {
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

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// The four bytes from a place on as a number, the largest first.
  func number(at place: Int) -> UInt32 {
    UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8
      | UInt32(self[place + 3])
  }

  /// The two bytes from a place on as a number, the larger first.
  func short(at place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }
}

// Pages that are no part of a tree.
extension PageSource {
  /// Whether a page says which page leads to which, as files that can become smaller have it.
  func isMap(_ number: Int) -> Bool { number >= 2 && (number - 2) % (usable / 5 + 1) == 0 }

  /// The pages that are in use by nobody.
  var freePages: [Int] {
    guard let first = page(1), first.starts(with: DatabaseFile.mark) else {
      return []
    }
    var pages: [Int] = []
    var trunk = Int(first.number(at: 32))
    while trunk != 0, pages.count <= count, let bytes = page(trunk) {
      let leaves = min(Int(bytes.number(at: 4)), usable / 4 - 2)
      pages.append(trunk)
      pages += (0..<leaves).map { Int(bytes.number(at: 8 + 4 * $0)) }
      trunk = Int(bytes.number(at: 0))
    }
    return pages
  }

  /// The pages on which so many bytes go on that found no room where they begin.
  func chain(from first: Int, length: Int) -> [Int] {
    // No row of a history comes near to it; SQLite has none that is longer.
    guard length <= 1 << 30 else { return [] }
    var pages: [Int] = []
    var number = first
    var left = length
    while left > 0, number != 0, stepsLeft > 0, let bytes = page(number) {
      stepsLeft -= 1
      pages.append(number)
      left -= bytes.count - 4
      number = Int(bytes.number(at: 0))
    }
    return pages
  }
}
