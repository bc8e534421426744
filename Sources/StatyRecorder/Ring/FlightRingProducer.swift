internal import CStatyRing

extension FlightRing {
  /// The outcome of a put.
  package enum Outcome: Sendable {
    /// The record is in the file.
    case stored
    /// The record was dropped and counted, because the thread's lane is full.
    case full
    /// The record was dropped and counted, because the thread has no lane, and the shared one was full or busy.
    case noLane
    /// The record was dropped but not counted, because the ring is dead.
    case dead
  }

  /// Puts a copy of the record into the ring. Call it from any thread, but not in a signal handler.
  ///
  /// It takes no lock, allocates nothing and makes no system call, except for the thread's first record in a piece
  /// and to wake a parked reader.
  // An autoclosure, so that each branch makes the record. Then it is in memory only where it is passed to
  // another function.
  @inline(__always)
  package func put(_ record: @autoclosure () -> RingRecord) -> Outcome {
    guard let lane = staty_ring_lane(pointer) else { return putSlowly(record()) }
    withUnsafePointer(to: record()) { staty_lane_put(pointer, lane, $0) }
    return .stored
  }

  /// Gets a lane or a new piece first.
  @inline(never)
  private func putSlowly(_ record: RingRecord) -> Outcome {
    withUnsafePointer(to: record) { Outcome(staty_ring_put(pointer, $0)) }
  }

  /// Appends an entry to the byte log.
  ///
  /// Call it from any thread.
  ///
  /// If a thread notes an entry and then puts a record, the reader gets the entry first or with the record.
  ///
  /// - Returns: false if the entry was dropped and counted, because the log was full or was busy for some
  ///   milliseconds, or if the ring is dead.
  package func note(_ bytes: [UInt8], kind: UInt32, id: UInt64) -> Bool {
    bytes.withUnsafeBytes {
      staty_ring_note(pointer, kind, id, $0.baseAddress, $0.count) == staty_note_stored
    }
  }

  /// Whether the log would be more than three quarters full with these bytes, or the calling thread's lane is.
  func isCrowded(adding bytes: Int) -> Bool {
    staty_ring_is_crowded(pointer, UInt64(bytes)) != 0
  }

  /// Counts an event that was dropped because a note failed.
  func countUnnoted() { staty_ring_count_unnoted(pointer) }

  /// Counts a payload that was left out of an event.
  func countPayloadLeftOut() { staty_ring_count_payload_left_out(pointer) }

  /// The last number that was drawn, in the ring's file; for a `Numbering`.
  package var drawnCounter: UnsafeMutablePointer<UInt64> {
    UnsafeMutableRawPointer(pointer.pointee.header)
      .advanced(by: MemoryLayout<staty_ring_header>.offset(of: \.drawn)!)
      .assumingMemoryBound(to: UInt64.self)
  }

  /// The number of records that are not released.
  var queued: UInt64 { staty_ring_queued(pointer) }

  /// Ends the reader's wait, or its next one if it is not waiting.
  ///
  /// Call it from any thread.
  package func wake() { staty_ring_wake(pointer) }
}

extension FlightRing.Outcome {
  init(_ answer: staty_put) {
    switch answer {
    case staty_put_stored: self = .stored
    case staty_put_full: self = .full
    case staty_put_no_lane: self = .noLane
    default: self = .dead
    }
  }
}
