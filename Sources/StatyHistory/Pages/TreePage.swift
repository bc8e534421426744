/// One page of a b-tree, if it is one in every byte that says how it is laid out.
///
/// What the values in it are is not known here.
struct TreePage {
  enum Kind: UInt8 {
    case innerIndex = 2
    case innerTable = 5
    case index = 10
    case table = 13

    var isInner: Bool { self == .innerIndex || self == .innerTable }
    var isTable: Bool { self == .table || self == .innerTable }
  }

  let kind: Kind
  /// In the order of their keys.
  let cells: [TreeCell]
  /// The pages below, in order; none in a leaf.
  let children: [Int]

  /// - Parameter isFirst: whether it is the file's first, which begins with the file's header.
  /// - Returns: none unless cells, free blocks and fragments are all that there is, without a byte
  ///   between or over another.
  init?(_ bytes: [UInt8], isFirst: Bool = false) {
    let start = isFirst ? 100 : 0
    guard let kind = Kind(rawValue: bytes[start]) else { return nil }
    let count = bytes.short(at: start + 3)
    let pointers = start + (kind.isInner ? 12 : 8)
    let content = bytes.short(at: start + 5)
    guard pointers + 2 * count <= content, content <= bytes.count else { return nil }
    var cells: [TreeCell] = []
    cells.reserveCapacity(count)
    for index in 0..<count {
      guard let cell = TreeCell(bytes, at: bytes.short(at: pointers + 2 * index), kind) else {
        return nil
      }
      cells.append(cell)
    }
    guard Self.isTiled(bytes, start, content, cells) else { return nil }
    if kind.isTable {
      for (one, next) in zip(cells, cells.dropFirst()) where one.key >= next.key { return nil }
    }
    self.kind = kind
    self.cells = cells
    children =
      kind.isInner ? cells.map(\.child) + [Int(bytes.number(at: start + 8))] : []
  }

  /// How many of a page's bytes are used, by where on it cells and free blocks end; none if it is none in
  /// every byte.
  static func usable(of bytes: [UInt8], isFirst: Bool) -> Int? {
    if TreePage(bytes, isFirst: isFirst) != nil { return bytes.count }
    let start = isFirst ? 100 : 0
    guard let kind = Kind(rawValue: bytes[start]) else { return nil }
    let pointers = start + (kind.isInner ? 12 : 8)
    let count = min(bytes.short(at: start + 3), (bytes.count - pointers) / 2)
    var end = bytes.short(at: start + 5)
    for index in 0..<count {
      let place = bytes.short(at: pointers + 2 * index)
      guard let cell = TreeCell(bytes, at: place, kind) else { continue }
      // How much of a longer one is in the page depends on what is asked.
      if cell.length < 900 { end = max(end, place + cell.size) }
    }
    var block = bytes.short(at: start + 1)
    var last = 0
    while block > last, block + 4 <= bytes.count {
      end = max(end, block + bytes.short(at: block + 2))
      last = block
      block = bytes.short(at: block)
    }
    // What is too small for a free block may lie behind. No more than 255 bytes can be reserved.
    for usable in end...end + 3 where usable < bytes.count && usable >= bytes.count - 255 {
      if TreePage(Array(bytes[..<usable]), isFirst: isFirst) != nil { return usable }
    }
    return nil
  }

  private static func isTiled(
    _ bytes: [UInt8], _ start: Int, _ content: Int, _ cells: [TreeCell]
  ) -> Bool {
    var parts = cells.map { (place: $0.place, size: $0.size) }
    var block = bytes.short(at: start + 1)
    var last = 0
    while block != 0 {
      guard block > last, block + 4 <= bytes.count else { return false }
      let size = bytes.short(at: block + 2)
      guard size >= 4 else { return false }
      parts.append((block, size))
      last = block
      block = bytes.short(at: block)
    }
    parts.sort { $0.place < $1.place }
    var end = content
    var fragments = Int(bytes[start + 7])
    for part in parts {
      // What is too small for a free block lies between.
      guard part.place >= end, part.place - end < 4 else { return false }
      fragments -= part.place - end
      end = part.place + part.size
    }
    fragments -= bytes.count - end
    return end <= bytes.count && bytes.count - end < 4 && fragments == 0
  }

  /// What may be cells of a table's leaf of which not every byte is as it must be.
  ///
  /// The longest row of cells that reaches to the page's end without a gap, and those that the
  /// pointers lead to. They may be anything: something else has to say that they are right.
  static func remains(of bytes: [UInt8]) -> [TreeCell] {
    var found: [Int: TreeCell] = [:]
    var lengths = [Int](repeating: 0, count: bytes.count + 1)
    var longest = bytes.count
    for place in stride(from: bytes.count - 4, to: 8, by: -1) {
      guard let cell = TreeCell(bytes, at: place, .table) else { continue }
      let end = place + cell.size
      guard end == bytes.count || lengths[end] > 0 else { continue }
      lengths[place] = 1 + lengths[end]
      if lengths[place] > lengths[longest] { longest = place }
    }
    while longest < bytes.count, let cell = TreeCell(bytes, at: longest, .table) {
      found[longest] = cell
      longest += cell.size
    }
    let count = min(bytes.short(at: 3), (bytes.count - 8) / 2)
    for index in 0..<count {
      let place = bytes.short(at: 8 + 2 * index)
      if let cell = TreeCell(bytes, at: place, .table) { found[place] = cell }
    }
    return found.values.sorted { $0.key < $1.key }
  }
}

/// One cell of such a page: a row, or the way to a page below.
struct TreeCell {
  /// Where it begins in its page.
  let place: Int
  let size: Int
  /// The row's number; 0 in an index.
  let key: Int64
  /// The page below; 0 in a leaf.
  let child: Int
  /// How many bytes its content has.
  let length: Int
  /// Those that stand in the page.
  let local: Range<Int>
  /// The page on which the rest begins; 0 if there is none.
  let rest: Int

  /// - Returns: none if it would reach beyond the page.
  init?(_ bytes: [UInt8], at place: Int, _ kind: TreePage.Kind) {
    var reading = Varints(bytes, at: place)
    guard place >= 8, place + 4 <= bytes.count else { return nil }
    child = kind.isInner ? Int(bytes.number(at: place)) : 0
    if kind.isInner { reading.place += 4 }
    var length: UInt64 = 0
    if kind != .innerTable {
      guard let said = reading.next(), said <= 1 << 30 else { return nil }
      length = said
    }
    var key: UInt64 = 0
    if kind.isTable {
      guard let said = reading.next() else { return nil }
      key = said
    }
    self.place = place
    self.key = Int64(bitPattern: key)
    self.length = Int(length)
    let local = Self.local(Int(length), kind, usable: bytes.count)
    let end = reading.place + local + (local < Int(length) ? 4 : 0)
    guard end <= bytes.count else { return nil }
    self.local = reading.place..<reading.place + local
    rest = local < Int(length) ? Int(bytes.number(at: reading.place + local)) : 0
    size = max(4, end - place)
    guard place + size <= bytes.count else { return nil }
  }

  /// How much of a content stands in the page itself, as the file format has it.
  private static func local(_ length: Int, _ kind: TreePage.Kind, usable: Int) -> Int {
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
