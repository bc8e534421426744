internal import CStatyRing

extension FlightRing {
  /// What became of a record.
  package enum Outcome: Sendable {
    /// It is in the file.
    case stored
    /// It was dropped and counted: the thread's lane is full.
    case full
    /// It was dropped and counted: the thread has no lane, and the shared one was full or taken.
    case noLane
    /// Nothing was done: the ring is closed, or belongs to the process that forked this one.
    case dead
  }

  /// Puts a copy of the record in; from any thread, but not from a signal handler.
  ///
  /// Without lock, allocation or system call, but for the thread's first record and for waking a
  /// parked writer.
  // A closure, so that the record is made in each branch: it comes into memory only where it is
  // passed on to another function.
  @inline(__always)
  package func put(_ record: @autoclosure () -> RingRecord) -> Outcome {
    guard let lane = staty_ring_lane(pointer) else { return putSlowly(record()) }
    withUnsafePointer(to: record()) { staty_lane_put(pointer, lane, $0) }
    return .stored
  }

  /// Looks for a lane, or for room in it.
  @inline(never)
  private func putSlowly(_ record: RingRecord) -> Outcome {
    withUnsafePointer(to: record) { Outcome(staty_ring_put(pointer, $0)) }
  }

  /// Notes bytes of any length; from any thread.
  ///
  /// An entry noted before a record is put by the same thread is never drained after it.
  ///
  /// - Returns: false if it was dropped and counted, as the log is full or has been busy for some
  ///   milliseconds, or if the ring is dead.
  func note(_ bytes: UnsafeRawBufferPointer, kind: UInt32, id: UInt64) -> Bool {
    staty_ring_note(pointer, kind, id, bytes.baseAddress, bytes.count) == staty_note_stored
  }

  /// Notes bytes of any length; from any thread.
  package func note(_ bytes: [UInt8], kind: UInt32, id: UInt64) -> Bool {
    bytes.withUnsafeBytes { note($0, kind: kind, id: id) }
  }

  /// Whether so many bytes more would fill the log beyond three quarters, or the calling thread's
  /// lane is that full.
  func isCrowded(adding bytes: Int) -> Bool {
    staty_ring_is_crowded(pointer, UInt64(bytes)) != 0
  }

  /// Counts an event that was given up because what it needs could not be noted.
  func countUnnoted() { staty_ring_count_unnoted(pointer) }

  /// Counts a payload that was left out for want of room, its event being kept.
  func countPayloadLeftOut() { staty_ring_count_payload_left_out(pointer) }

  /// Draws the next number from the counter in the file, for users without a numbering of their own.
  package func drawNumber() -> UInt64 { staty_ring_draw(pointer) }

  /// The counter itself, for a numbering that draws from it.
  var drawnCounter: UnsafeMutablePointer<UInt64> {
    UnsafeMutableRawPointer(pointer.pointee.header)
      .advanced(by: MemoryLayout<staty_ring_header>.offset(of: \.drawn)!)
      .assumingMemoryBound(to: UInt64.self)
  }

  /// How many records are published and not released.
  var queued: UInt64 { staty_ring_queued(pointer) }

  /// Ends the writer's wait, or its next one if it does not wait now; from any thread.
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
