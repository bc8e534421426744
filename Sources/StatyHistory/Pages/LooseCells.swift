/// The cells of a page as SQLite finds them, which does not ask whether they lie in order or over one
/// another.
struct LooseCells {
  struct Cell {
    /// The page below; 0 in a leaf.
    var child = 0
    /// The row's number; 0 in an index.
    var key: Int64 = 0
    /// How many bytes its content has, and where those stand that are in the page.
    var length = 0
    var local = 0..<0
    /// The page on which the rest begins.
    var rest = 0
    /// All of it in the page.
    var extent = 0..<0
  }

  /// How many bytes of a page are used.
  let usable: Int

  /// - Parameter start: where the page begins, behind the file's header in the first.
  func all(of bytes: [UInt8], _ start: Int, _ kind: TreePage.Kind) -> [Cell] {
    let count = bytes.short(at: start + 3)
    let pointers = start + (kind.isInner ? 12 : 8)
    // SQLite refuses a page with more.
    guard count <= (bytes.count - 8) / 6, pointers + 2 * count <= bytes.count else { return [] }
    var cells: [Cell] = []
    cells.reserveCapacity(count)
    for index in 0..<count {
      let place = bytes.short(at: pointers + 2 * index) & (bytes.count - 1)
      if let cell = cell(bytes, place, kind) { cells.append(cell) }
    }
    return cells
  }

  /// Whether a byte of the page is of two of them.
  func overlap(_ cells: [Cell]) -> Bool {
    var taken = [UInt64](repeating: 0, count: PageSource.pageSize / 64 + 1)
    for cell in cells {
      var place = cell.extent.lowerBound
      while place < cell.extent.upperBound {
        let end = min(cell.extent.upperBound, (place / 64 + 1) * 64)
        let ones: UInt64 = end - place == 64 ? .max : 1 << UInt64(end - place) - 1
        let bits = ones << UInt64(place % 64)
        if taken[place / 64] & bits != 0 { return true }
        taken[place / 64] |= bits
        place = end
      }
    }
    return false
  }

  /// - Returns: none if it reaches beyond its page, so that SQLite refuses it.
  private func cell(_ bytes: [UInt8], _ start: Int, _ kind: TreePage.Kind) -> Cell? {
    var cell = Cell()
    var place = start
    if kind.isInner {
      guard place + 4 <= bytes.count else { return nil }
      cell.child = Int(bytes.number(at: place))
      place += 4
    }
    if kind == .innerTable {
      var key = Varints(bytes, at: place)
      if let number = key.next() { cell.key = Int64(bitPattern: number) }
      cell.extent = start..<key.place
      return cell
    }
    guard let length = varint(bytes, &place) else { return kind.isInner ? cell : nil }
    if kind == .table {
      var key = Varints(bytes, at: place)
      guard let number = key.next() else { return nil }
      cell.key = Int64(bitPattern: number)
      place = key.place
    }
    // SQLite counts with 32 bits.
    cell.length = Int(UInt32(truncatingIfNeeded: length))
    let end = place + local(cell.length, kind)
    guard end <= usable else { return kind.isInner ? Cell(child: cell.child) : nil }
    cell.local = place..<end
    cell.extent = start..<end
    if cell.local.count < cell.length, end + 4 <= bytes.count {
      cell.rest = Int(bytes.number(at: end))
      cell.extent = start..<end + 4
    }
    return cell
  }

  // SQLite takes seven bits of a length's ninth byte, too, where the format has eight.
  private func varint(_ bytes: [UInt8], _ place: inout Int) -> UInt64? {
    var number: UInt64 = 0
    for _ in 0..<9 {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      number = number << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return number
  }

  /// How much of a content stands in the page itself, as the file format has it.
  private func local(_ length: Int, _ kind: TreePage.Kind) -> Int {
    let most = kind.isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else { return length }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (length - least) % (usable - 4)
    return fitting <= most ? fitting : least
  }
}
