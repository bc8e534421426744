internal import CStatyRing
import LibC

extension RingFile {
  /// Makes a ring's file, locked and with its first part written, and its header.
  ///
  /// Until the last step the file says that it is unfinished: what a creator that was killed left
  /// holds nothing and may be taken over.
  static func create(
    at path: String, session: SessionMark, options: RingOptions
  ) throws(RingError) -> (RingFile, staty_ring_header) {
    let file = try RingFile(opening: path, flags: O_RDWR | O_CREAT)
    do throws(RingError) {
      try file.refuseWhatIsNotUnfinished()
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

  private func refuseWhatIsNotUnfinished() throws(RingError) {
    if size == 0 || isBlank { return }
    switch magic {
    case STATY_RING_UNFINISHED where size >= 8: return
    case STATY_RING_MAGIC: throw .leftover(path: path)
    default: throw .notARing(path: path, reason: "it holds something else")
    }
  }

  /// Whether zeros stand where the header should.
  ///
  /// A loss of power leaves that, if the file's size has come to the disk and its content has not.
  private var isBlank: Bool {
    guard let head: [UInt8] = try? values(min(Int(size), Int(STATY_RING_HEAD)), at: 0) else {
      return false
    }
    return head.allSatisfy { $0 == 0 }
  }

  /// What the file begins with, however short it is.
  var magic: UInt64 {
    var magic: UInt64 = 0
    return pread(descriptor, &magic, 8, 0) == 8 ? magic : 0
  }

  // Through the file, not through a mapping: allocated and written blocks cost a first put far
  // less than allocated ones, and memory that was never touched is not resident.
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
      try refuseIfTooLarge(size)
      let headerEnd = UInt64(MemoryLayout<staty_ring_header>.size)
      let pieces = options.first.pieces * options.records * MemoryLayout<RingRecord>.stride
      try writeZeros(from: headerEnd, to: UInt64(STATY_RING_HEAD) + UInt64(pieces))
      let log = size - header.log_bytes
      try writeZeros(from: log, to: log + UInt64(options.first.logBytes))
      // The rest is a hole until `makeReady`.
      guard ftruncate(descriptor, off_t(size)) == 0 else {
        throw RingError(errno, doing: "preparing", path: path)
      }
      try write(header: header)
    } catch .noRoom {
      throw .noRoom(bytes: size, path: path)
    }
    return header
  }

  /// Better than to fill the disk and then to fail.
  private func refuseIfTooLarge(_ size: UInt64) throws(RingError) {
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
