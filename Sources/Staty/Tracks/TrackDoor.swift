import Synchronization

/// What tracks attach to at their first event while nobody observes them.
@usableFromInline package enum TrackDoor {
  /// Records a source under a name from now on.
  package typealias Attach = @Sendable (EventSource, StateName) -> Void

  private struct Keeper {
    var owner: ObjectIdentifier
    var attach: Attach
  }

  private static let keeper = Mutex<Keeper?>(nil)
  private static let isKept = Atomic(false)

  /// Whether a recorder takes in tracks.
  @usableFromInline package static var isOpen: Bool { isKept.load(ordering: .relaxed) }

  /// Whether the tracks of the task at work are left alone, since a replay runs their models.
  @TaskLocal static var isShut = false

  /// Lets a recorder take in tracks from now on; if there is another, it does no longer.
  package static func open(for owner: AnyObject, _ attach: @escaping Attach) {
    keeper.withLock { $0 = Keeper(owner: ObjectIdentifier(owner), attach: attach) }
    isKept.store(true, ordering: .relaxed)
  }

  /// Ends what ``open(for:_:)`` began, unless another recorder has come since.
  package static func close(for owner: ObjectIdentifier) {
    keeper.withLock { keeper in
      guard keeper?.owner == owner else { return }
      keeper = nil
      isKept.store(false, ordering: .relaxed)
    }
  }

  /// Runs a body whose tracks are left alone.
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

  static func attach(_ source: EventSource, as name: StateName) {
    guard isOpen, !isShut, let attach = keeper.withLock({ $0?.attach }) else { return }
    attach(source, name)
  }
}
