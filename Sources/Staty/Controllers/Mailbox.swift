import Synchronization

/// Holds completions from other isolations until the controller's isolation handles them.
///
/// It is also the states' link to their driver, which may be released before they are.
final class Mailbox: Sendable {
  struct Letter: Sendable {
    let completion: Completion
    let visit: SendableVisit
  }

  /// How the owner learns that there is mail.
  enum Bell: Sendable {
    /// The owner checks for mail itself.
    case none
    /// A task on this actor collects. Weak, because the actor may own the controller.
    case actor(WeakActor)
    /// The owner's own function.
    case call(@Sendable () -> Void)
  }

  struct WeakActor: Sendable {
    weak let actor: (any Actor)?
  }

  // Used only in the controller's isolation: set when the driver is created, cleared when it is
  // released, read by `Visit`, which is not Sendable and so stays there, and by `collect`, which
  // runs there. Unmanaged, because a strong reference would be a cycle, and a weak one costs an
  // atomic operation per completion.
  nonisolated(unsafe) private var link: Unmanaged<TransitionDriver>?

  private let letters = Mutex<[Letter]>([])
  private let bell: Mutex<Bell>
  private let mayHaveMail = Atomic(false)

  init(bell: Bell) {
    self.bell = Mutex(bell)
  }

  /// Reports a completion to the driver, in the driver's isolation, unless the driver was released.
  ///
  /// A completion may lead to the release of the controller. A driver at work is retained by its
  /// caller; a driver at rest is retained here.
  func complete(_ completion: Completion, _ visit: Visit) {
    guard let link else { return }
    assertIsolated()
    link._withUnsafeGuaranteedRef { driver in
      if driver.isAtWork {
        driver.complete(completion, visit)
      } else {
        withExtendedLifetime(link.retain()) { driver.complete(completion, visit) }
        link.release()
      }
    }
  }

  /// In debug builds, traps if the controller's actor is known and a report is made elsewhere.
  @inline(__always)
  private func assertIsolated() {
    #if DEBUG
      guard case .actor(let weak) = bell.withLock({ $0 }), let actor = weak.actor else { return }
      actor.assertIsolated(
        "A state reported outside its controller's actor. Report with `visit.sendable` there.")
    #endif
  }

  func connect(_ driver: TransitionDriver) {
    link = .passUnretained(driver)
  }

  func disconnect() {
    link = nil
  }

  func setBell(_ bell: Bell) {
    self.bell.withLock { $0 = bell }
    // Earlier letters found no bell, and only the first letter rings.
    if hasMail { ring() }
  }

  func setBellIfNone(_ bell: Bell) {
    if case .none = self.bell.withLock({ $0 }) { setBell(bell) }
  }

  /// Adds a letter, and rings the bell if it is the first.
  func post(_ letter: Letter) {
    let isFirst = letters.withLock { letters in
      letters.append(letter)
      return letters.count == 1
    }
    mayHaveMail.store(true, ordering: .releasing)
    if isFirst { ring() }
  }

  private func ring() {
    switch bell.withLock({ $0 }) {
    case .none: break
    case .call(let call): call()
    case .actor(let weak):
      guard let actor = weak.actor else { return }
      Task { await self.collect(on: actor) }
    }
  }

  private func collect(on actor: isolated any Actor) {
    link?.takeUnretainedValue().collectMail()
  }

  /// Whether there are letters.
  ///
  /// Costs one load.
  var hasMail: Bool { mayHaveMail.load(ordering: .acquiring) }

  /// Removes and returns all letters.
  func takeLetters() -> [Letter] {
    mayHaveMail.store(false, ordering: .relaxed)
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
