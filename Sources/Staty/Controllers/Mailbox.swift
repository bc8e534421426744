import Synchronization

/// Where completions from other isolations wait for the controller's own.
///
/// It also is the states' link to their driver, which may go away before they do.
final class Mailbox: Sendable {
  struct Letter: Sendable {
    let completion: Completion
    let visit: SendableVisit
  }

  /// How the owner is told that there is mail.
  enum Bell: Sendable {
    /// The owner looks by itself.
    case none
    /// A task on this actor collects. Weak, because the actor may own the controller.
    case actor(WeakActor)
    /// The owner's own way.
    case call(@Sendable () -> Void)
  }

  struct WeakActor: Sendable {
    weak let actor: (any Actor)?
  }

  // Touched only in the controller's isolation: set when the driver is made, cleared when it
  // ends, read by `Visit`, which is not Sendable and so stays there, and by `collect`, which the
  // owner calls. Unmanaged, because a strong reference would be a cycle and a weak one costs an
  // atomic operation a completion.
  nonisolated(unsafe) private var link: Unmanaged<TransitionDriver>?

  private let letters = Mutex<[Letter]>([])
  private let bell: Mutex<Bell>
  private let mayHaveMail = Atomic(false)

  init(bell: Bell) {
    self.bell = Mutex(bell)
  }

  /// Tells the driver of a completion, in its own isolation, unless it has gone.
  ///
  /// What a completion sets off may let go of the controller. A driver at work is held by
  /// whoever set it to work; one at rest is held here.
  func complete(_ completion: Completion, _ visit: Visit) {
    guard let link else { return }
    link._withUnsafeGuaranteedRef { driver in
      if driver.isAtWork {
        driver.complete(completion, visit)
      } else {
        withExtendedLifetime(link.retain()) { driver.complete(completion, visit) }
        link.release()
      }
    }
  }

  func connect(_ driver: TransitionDriver) {
    link = .passUnretained(driver)
  }

  func disconnect() {
    link = nil
  }

  func setBell(_ bell: Bell) {
    self.bell.withLock { $0 = bell }
    // Letters that came before found no bell, and only the first of a pile rings.
    if hasMail { ring() }
  }

  func setBellIfNone(_ bell: Bell) {
    if case .none = self.bell.withLock({ $0 }) { setBell(bell) }
  }

  /// Leaves a letter and rings, unless somebody has been told and not yet come.
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

  /// Whether there are letters; costs a load.
  var hasMail: Bool { mayHaveMail.load(ordering: .acquiring) }

  /// Takes all the letters out.
  func takeLetters() -> [Letter] {
    mayHaveMail.store(false, ordering: .relaxed)
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
