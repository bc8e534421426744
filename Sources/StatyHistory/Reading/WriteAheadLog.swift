import LibC

/// The log next to a database: how much of it SQLite would read, so that no more is copied.
///
/// A forged log can have any size and consist of holes. SQLite reads it up to the first frame that does not
/// have the two numbers of the log's header, and only so much is copied.
enum WriteAheadLog {
  private static let headerBytes: Int64 = 32
  private static let frameHeaderBytes: Int64 = 24

  /// How many bytes at the beginning of the log are a log; 0 if it is none.
  static func validLength(_ descriptor: Int32) -> Int64 {
    let header = bytes(Int(headerBytes), of: descriptor, at: 0)
    guard header.count == headerBytes, number(header, 0) & ~1 == 0x377f_0682 else { return 0 }
    let page = Int64(number(header, 8))
    guard page >= 512, page <= 65_536, page & (page - 1) == 0 else { return 0 }
    var length = headerBytes
    while true {
      let frame = bytes(Int(frameHeaderBytes), of: descriptor, at: length)
      guard frame.count == frameHeaderBytes, frame[8..<16] == header[16..<24] else {
        return length
      }
      length += frameHeaderBytes + page
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func bytes(
    _ count: Int, of descriptor: Int32, at place: Int64
  ) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: count)
    return bytes[..<max(0, pread(descriptor, &bytes, count, off_t(place)))]
  }
}
