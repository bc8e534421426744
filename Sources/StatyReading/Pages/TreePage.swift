import StatyHistory
/// One page of a tree: of a table or of an index.
///
/// It is read as loosely as SQLite reads it: overlapping cells are not detected.
struct TreePage {
  enum Kind: UInt8 {
    case innerIndex = 2
    case innerTable = 5
    case index = 10
    case table = 13

    var isInner: Bool { self == .innerIndex || self == .innerTable }
    var isTable: Bool { self == .table || self == .innerTable }
  }

  /// A row, an entry, or a link to a page below.
  struct Cell {
    /// The page below; 0 in a leaf.
    var child = 0
    /// The row's number; 0 in an index.
    var key: Int64 = 0
    /// The number of bytes of its content, and the place of those that are in the page.
    var length = 0
    var local = 0..<0
    /// The page on which the rest begins; 0 if there is no rest.
    var rest = 0
  }

  let bytes: [UInt8]
  let kind: Kind
  private(set) var cells: [Cell] = []
  /// The pages below, in order; none in a leaf.
  private(set) var children: [Int] = []
  /// Whether each cell lies within the page.
  private(set) var isWhole = true

  /// - Parameters:
  ///   - isFirst: whether it is the file's first page, which begins with the file's header.
  ///   - usable: how many of its bytes are used.
  /// - Returns: none if the page is no page of a tree.
  init?(_ bytes: [UInt8], isFirst: Bool = false, usable: Int = PageSource.pageSize) {
    let start = isFirst ? 100 : 0
    guard let kind = Kind(rawValue: bytes[start]) else { return nil }
    (self.bytes, self.kind) = (bytes, kind)
    let count = bytes.short(at: start + 3)
    let pointers = start + (kind.isInner ? 12 : 8)
    guard pointers + 2 * count <= bytes.count else { return nil }
    cells.reserveCapacity(count)
    for index in 0..<count {
      let place = bytes.short(at: pointers + 2 * index)
      let cell = Self.cell(bytes, place, kind, usable)
      cells.append(cell ?? Cell())
      if cell == nil { isWhole = false }
    }
    guard kind.isInner else { return }
    children = cells.map(\.child) + [Int(bytes.number(at: start + 8))]
  }

  /// - Returns: none if the cell reaches beyond its page.
  private static func cell(_ bytes: [UInt8], _ place: Int, _ kind: Kind, _ usable: Int) -> Cell? {
    guard place + 4 <= bytes.count else { return nil }
    var cell = Cell()
    var reading = Varints(bytes, at: place)
    if kind.isInner {
      cell.child = Int(bytes.number(at: place))
      reading.place += 4
    }
    if kind != .innerTable { cell.length = Int(min(reading.next() ?? 0, 1 << 30)) }
    if kind.isTable { cell.key = Int64(bitPattern: reading.next() ?? 0) }
    if kind == .innerTable { return cell }
    let end = reading.place + local(cell.length, kind, usable)
    guard end <= bytes.count else { return kind.isInner ? cell : nil }
    cell.local = reading.place..<end
    if cell.local.count < cell.length, end + 4 <= bytes.count {
      cell.rest = Int(bytes.number(at: end))
    }
    return cell
  }

  /// How many bytes of a content are in the page itself, by the file format.
  private static func local(_ length: Int, _ kind: Kind, _ usable: Int) -> Int {
    let most = kind.isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else { return length }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (length - least) % (usable - 4)
    return fitting <= most ? fitting : least
  }
}

/// Reads numbers of one to nine bytes.
struct Varints {
  private let bytes: [UInt8]
  var place: Int

  init(_ bytes: [UInt8], at place: Int) { (self.bytes, self.place) = (bytes, place) }

  mutating func next() -> UInt64? {
    var number: UInt64 = 0
    for index in 0..<9 {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      if index == 8 { return number << 8 | UInt64(byte) }
      number = number << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return number }
    }
    return nil
  }
}
