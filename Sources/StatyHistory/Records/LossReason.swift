/// Why events are missing; an imported history may give other reasons.
package enum LossReason: String, CaseIterable {
  /// The thread's lane of the ring was full.
  case overload
  /// The thread had no lane, and the shared one was full or busy.
  case noLane = "no lane"
  /// A note that the event needs, such as a new name, failed.
  case unnoted
  /// The record was damaged in the ring.
  case torn
  /// The recorder was closed, or detached from the controller.
  case closed
  /// The process ended after it had drawn the event's number.
  case unfinished
  /// The ring of a process that ended could not be read.
  case ringUnreadable = "ring unreadable"
  /// The events are in a damaged file, which was renamed.
  case setAside = "set aside"
  /// The events are in a file that was removed or replaced while it was recorded into.
  case removed
  /// The file was damaged, and these events could not be salvaged.
  case damaged
}
