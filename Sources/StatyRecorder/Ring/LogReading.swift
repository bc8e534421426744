internal import CStatyRing

/// Reads the entries of a part of a byte log.
struct LogReading {
  private(set) var entries: [LogEntry] = []
  /// The position behind each entry.
  private(set) var ends: [UInt64] = []
  /// The number of damaged entries.
  ///
  /// A damaged frame counts as one, because the entries behind it cannot be found.
  private(set) var torn: UInt64 = 0

  /// Reads from `tail` to `head`.
  ///
  /// `copy` fills a buffer with the bytes at a position.
  ///
  /// `tail` and `head` may be damaged.
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
      // Too short for a frame. This is not reached without a damaged position.
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
