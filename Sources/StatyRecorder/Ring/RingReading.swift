internal import CStatyRing

/// Reads the records of one piece that were not released.
struct PieceReading: Sendable {
  let place: UInt64
  let records: UInt64
  let salt: UInt64
  let tail: UInt64
  let head: UInt64
  /// Whether `head` and `tail` are consistent.
  ///
  /// If not, none of the piece's records are read.
  let isSound: Bool

  /// Calls `body` with batches of undamaged records, each with the number of damaged records that were skipped.
  func read(
    from file: RingFile, _ body: ([RingRecord], UInt64) -> Void
  ) throws(RingError) {
    guard isSound else {
      body([], 1)
      return
    }
    var position = tail
    while position < head {
      let start = position % records
      let count = min(4096, head - position, records - start)
      let offset = place + start * UInt64(MemoryLayout<RingRecord>.stride)
      var batch: [RingRecord] = try file.values(Int(count), at: offset)
      var next = position
      batch.removeAll { record in
        defer { next += 1 }
        return withUnsafePointer(to: record) { staty_record_check($0, salt, next) } != record.check
          || !record.isPlausible
      }
      body(batch, count - UInt64(batch.count))
      position += count
    }
  }
}

extension RingFile {
  /// The header, after all its checks.
  func validHeader() throws(RingError) -> staty_ring_header {
    guard var header else { throw .notARing(path: path, reason: "it is too short") }
    switch header.magic {
    case STATY_RING_MAGIC: break
    case STATY_RING_UNFINISHED:
      throw .notARing(path: path, reason: "it was not completed and has no events")
    default: throw .notARing(path: path, reason: "it does not begin like a ring")
    }
    // Before the checksum, because a newer layout may have another one.
    if header.version > STATY_RING_VERSION { throw .newer(version: header.version, path: path) }
    guard header.version == STATY_RING_VERSION, header.check == staty_header_check(&header),
      header.head_bytes == STATY_RING_HEAD,
      RingOptions.areValid(
        lanes: Int(header.lanes), pieces: Int(header.pieces), records: Int(header.records),
        logBytes: Int(truncatingIfNeeded: header.log_bytes))
    else { throw .notARing(path: path, reason: "its header is damaged") }
    var expected = header
    staty_header_describe(
      &expected, header.lanes, header.pieces, header.records, header.log_bytes)
    guard header.file_bytes == expected.file_bytes, size >= header.file_bytes else {
      throw .notARing(path: path, reason: "it is shorter than its header says")
    }
    return header
  }

  func pieces(_ header: staty_ring_header) throws(RingError) -> [PieceReading] {
    let positions: [staty_piece_positions] = try values(
      Int(header.pieces), at: UInt64(MemoryLayout<staty_ring_header>.size))
    let salt = withUnsafePointer(to: header) { staty_header_salt($0) }
    let pieceBytes = UInt64(header.records) * UInt64(MemoryLayout<RingRecord>.stride)
    return positions.enumerated().map { index, positions in
      let (tail, head) = (positions.tail.value, positions.head.value)
      return PieceReading(
        place: UInt64(STATY_RING_HEAD) + UInt64(index) * pieceBytes,
        records: UInt64(header.records), salt: staty_piece_salt(salt, UInt32(index)), tail: tail,
        head: head, isSound: head >= tail && head - tail <= UInt64(header.records))
    }
  }

  func log(_ header: staty_ring_header, salt: UInt64) throws(RingError) -> LogReading {
    let (tail, size) = (header.log_tail.value, header.log_bytes)
    let start = header.file_bytes - size
    let first = min(header.unreleasedInLog, size - tail % size)
    var bytes: [UInt8] = try values(Int(first), at: start + tail % size)
    bytes += try values(Int(header.unreleasedInLog - first), at: start) as [UInt8]
    return LogReading(from: tail, to: header.log_head.value, size: size, salt: salt) {
      position, buffer in
      // `LogReading` reads only between tail and head.
      let place = Int(position - tail)
      bytes.withUnsafeBytes { bytes in
        buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[place..<place + buffer.count]))
      }
    }
  }

  /// Throws if the ring claims many more records than its file has bytes on the disk.
  ///
  /// A recorder writes each part of the file before it uses it, so such a file is damaged or forged, and reading
  /// its holes would take long. Rings next to the recorder's own history are not checked, because a file system
  /// that compresses may store little of them.
  func refuseHoles(_ pieces: [PieceReading]) throws(RingError) {
    let records = pieces.reduce(0) { $0 + ($1.isSound ? $1.head - $1.tail : 0) }
    let claimed = records * UInt64(MemoryLayout<RingRecord>.stride)
    if claimed > 1 << 24, bytesOnDisk < claimed / 4 {
      throw .notARing(path: path, reason: "it claims \(claimed) bytes and holds \(bytesOnDisk)")
    }
  }
}

extension staty_ring_header {
  /// The number of bytes in the log that were not released; 0 if head and tail are inconsistent.
  fileprivate var unreleasedInLog: UInt64 {
    let (tail, head) = (log_tail.value, log_head.value)
    return head >= tail && head - tail <= log_bytes ? head - tail : 0
  }
}

extension RingRecord {
  /// Whether a process can have drawn the number.
  ///
  /// A checksum can be forged.
  fileprivate var isPlausible: Bool {
    (1...RingCounters.mostNumbers).contains(number)
  }
}
