internal import CStatyRing

/// The entries in a stretch of a byte log, read one after the other.
struct LogReading {
  private(set) var entries: [LogEntry] = []
  /// Where each of them ends.
  private(set) var ends: [UInt64] = []
  /// Entries whose bytes were damaged, and one more for a frame that was: what follows such a
  /// frame cannot be found.
  private(set) var torn: UInt64 = 0

  /// Reads from `tail` to `head` with the help of `copy`, which fills a buffer with the bytes at
  /// a position.
  ///
  /// Both are as they stand in the file, hence not to be trusted.
  init(
    from tail: UInt64, to head: UInt64, size: UInt64, salt: UInt64,
    copy: (UInt64, UnsafeMutableRawBufferPointer) -> Void
  ) {
    let frameBytes = UInt64(MemoryLayout<staty_log_frame>.size)
    guard head >= tail, head - tail <= size, head % 8 == 0, tail % 8 == 0 else {
      torn = 1
      return
    }
    var position = tail
    while position < head {
      var frame = staty_log_frame()
      // There are numbers for which no frame at all has the right check.
      guard head - position >= frameBytes else {
        torn += 1
        return
      }
      withUnsafeMutableBytes(of: &frame) { copy(position, $0) }
      guard frame.frame_check == staty_log_frame_check(&frame, salt, position),
        UInt64(frame.length) <= head - position - frameBytes
      else {
        torn += 1
        return
      }
      let length = Int(frame.length)
      let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        copy(position + frameBytes, UnsafeMutableRawBufferPointer(buffer))
        count = length
      }
      if frame.body_check == staty_log_body_check(bytes, length, salt, position) {
        entries.append(LogEntry(kind: frame.kind, id: frame.id, bytes: bytes))
        ends.append(position + (frameBytes + UInt64(length) + 7) & ~7)
      } else {
        torn += 1
      }
      position += (frameBytes + UInt64(length) + 7) & ~7
    }
  }
}
