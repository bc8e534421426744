internal import CStatyRing
import LibC

extension RingFile {
  /// Creates and locks a ring's file, and writes its first parts.
  ///
  /// Until the last step, the header marks the file as unfinished. If the process is killed before that, the file
  /// has no events, and the next recorder overwrites it.
  static func create(
    at path: String, session: SessionMark, options: RingOptions
  ) throws(RingError) -> (RingFile, staty_ring_header) {
    let file = try RingFile(opening: path, flags: O_RDWR | O_CREAT)
    do throws(RingError) {
      try file.checkReplaceable()
    } catch {
      file.unlock()
      throw error
    }
    do throws(RingError) {
      return (file, try file.prewrite(session: session, options: options))
    } catch {
      unlink(path)
      file.unlock()
      throw error
    }
  }

  /// Throws if the file is a complete ring or not a ring at all.
  private func checkReplaceable() throws(RingError) {
    if size == 0 || isBlank { return }
    switch magic {
    case STATY_RING_UNFINISHED where size >= 8: return
    case STATY_RING_MAGIC: throw .oldRing(path: path)
    default: throw .notARing(path: path, reason: "it is another file")
    }
  }

  /// Whether the file begins with zeros instead of a header.
  ///
  /// This happens if power is lost when the file's size is on the disk, but not its content.
  private var isBlank: Bool {
    guard let head: [UInt8] = try? values(min(Int(size), Int(STATY_RING_HEAD)), at: 0) else {
      return false
    }
    return head.allSatisfy { $0 == 0 }
  }

  /// The first eight bytes; 0 if the file is shorter.
  var magic: UInt64 {
    var magic: UInt64 = 0
    return pread(descriptor, &magic, 8, 0) == 8 ? magic : 0
  }

  // Written with `pwrite`, not through a mapping: a first put into a written block is much faster than into one
  // that is only allocated, and memory that was never touched is not resident.
  private func prewrite(
    session: SessionMark, options: RingOptions
  ) throws(RingError) -> staty_ring_header {
    var header = staty_ring_header()
    staty_header_describe(
      &header, UInt32(options.lanes), UInt32(options.pieces), UInt32(options.records),
      UInt64(options.logBytes))
    session.write(to: &header)
    header.check = staty_header_check(&header)
    let size = header.file_bytes
    do throws(RingError) {
      var unfinished = header
      unfinished.magic = STATY_RING_UNFINISHED
      guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
        throw RingError(errno, doing: "preparing", path: path)
      }
      try write(header: unfinished)
      try checkFreeSpace(size)
      let headerEnd = UInt64(MemoryLayout<staty_ring_header>.size)
      let pieces = options.first.pieces * options.records * MemoryLayout<RingRecord>.stride
      try writeZeros(from: headerEnd, to: UInt64(STATY_RING_HEAD) + UInt64(pieces))
      let log = size - header.log_bytes
      try writeZeros(from: log, to: log + UInt64(options.first.logBytes))
      // `makeReady` writes the rest; until then it is a hole.
      guard ftruncate(descriptor, off_t(size)) == 0 else {
        throw RingError(errno, doing: "preparing", path: path)
      }
      try write(header: header)
    } catch .noRoom {
      throw .noRoom(bytes: size, path: path)
    }
    return header
  }

  /// Throws if the disk has too little space, instead of filling it and then failing.
  private func checkFreeSpace(_ size: UInt64) throws(RingError) {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { return }
    let room = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    if !room.overflow, room.partialValue < size { throw .noRoom(bytes: size, path: path) }
  }

  private func write(header: staty_ring_header) throws(RingError) {
    let bytes = withUnsafeBytes(of: header) { Array($0) }
    try write(bytes, count: bytes.count, at: 0)
  }

  private func writeZeros(from start: UInt64, to end: UInt64) throws(RingError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 18)
    var place = start
    while place < end {
      let count = Int(min(UInt64(zeros.count), end - place))
      try write(zeros, count: count, at: place)
      place += UInt64(count)
    }
  }
}
