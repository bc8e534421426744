import Staty

/// The numbers of recently used call sites, by the address of their file's name.
///
/// The name is a literal, so the same address means the same file. If a file's name has two addresses, the
/// core is asked once for each.
struct SiteCache {
  private struct Entry {
    var file: UnsafePointer<UInt8>?
    var line: UInt32 = 0
    var number: UInt32 = 0
  }

  private var entries = [Entry](repeating: Entry(), count: 16)

  @inline(__always)
  mutating func number(of site: RequestSite, _ find: () -> UInt32) -> UInt32 {
    guard site.file.hasPointerRepresentation else { return find() }
    let file = site.file.utf8Start
    let place = Int(truncatingIfNeeded: UInt(bitPattern: file) ^ UInt(site.line)) & 15
    if entries[place].file == file, entries[place].line == site.line {
      return entries[place].number
    }
    let number = find()
    if number != 0 { entries[place] = Entry(file: file, line: site.line, number: number) }
    return number
  }
}
