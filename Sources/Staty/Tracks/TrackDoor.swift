import Synchronization

/// Attaches tracks to a recorder at their next event.
@usableFromInline package enum TrackDoor {
  /// Starts to record a track.
  package typealias Attach = @Sendable (Track) -> Void

  private struct Keeper {
    var owner: ObjectIdentifier
    var attach: Attach
  }

  private static let keeper = Mutex<Keeper?>(nil)
  private static let isKept = Atomic(false)
  private static let changes = Atomic(0)

  /// Another number whenever tracks are to be attached anew.
  static var opening: Int { changes.load(ordering: .relaxed) }

  /// Whether a recorder records tracks.
  @usableFromInline package static var isOpen: Bool { isKept.load(ordering: .relaxed) }

  /// Tracks that a test follows, besides a recorder.
  private static let follower = Mutex<Attach?>(nil)

  /// Whether the tracks of the current task are not attached, because a replay runs their models.
  @TaskLocal static var isShut = false

  /// Whether a replay or a search makes the models of the current task.
  static var isReplaying: Bool { isShut || follower.withLock { $0 != nil } }

  /// Makes a recorder record tracks from now on, in place of an earlier recorder.
  package static func open(for owner: AnyObject, _ attach: @escaping Attach) {
    keeper.withLock { $0 = Keeper(owner: ObjectIdentifier(owner), attach: attach) }
    isKept.store(true, ordering: .relaxed)
    changes.add(1, ordering: .relaxed)
  }

  /// Ends the effect of ``open(for:_:)``, unless another recorder has replaced it.
  package static func close(for owner: ObjectIdentifier) {
    keeper.withLock { keeper in
      guard keeper?.owner == owner else { return }
      keeper = nil
      isKept.store(follower.withLock { $0 != nil }, ordering: .relaxed)
    }
  }

  /// Follows the tracks that have an event from now on; `nil` ends it.
  ///
  /// What is attached already stays so.
  package static func follow(_ attach: Attach?) {
    follower.withLock { $0 = attach }
    let isRecording = keeper.withLock { $0 != nil }
    isKept.store(attach != nil || isRecording, ordering: .relaxed)
    if attach != nil { changes.add(1, ordering: .relaxed) }
  }

  /// Runs a body without attaching its tracks.
  package static func shut<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    $isShut.withValue(true) {
      do throws(Failure) {
        result = .success(try body())
      } catch {
        result = .failure(error)
      }
    }
    return try result!.get()
  }

  static func attach(_ track: Track) {
    guard isOpen, !isShut else { return }
    if let attach = keeper.withLock({ $0?.attach }) { attach(track) }
    if let attach = follower.withLock({ $0 }) { attach(track) }
  }
}
