import Foundation

/// Runs work on its own thread, or on the calling thread, one piece after the other.
final class Hand: Sendable {
  // Unchecked: the two semaphores make sure that only one thread uses it at a time.
  private final class Work: @unchecked Sendable {
    var body: (() -> Void)?
  }

  private let work = Work()
  private let wanted = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  private let isOwn: Bool

  /// - Parameter isOwn: whether work runs on the calling thread, which is faster.
  init(isOwn: Bool = false) {
    self.isOwn = isOwn
    if isOwn { return }
    let (work, wanted, done) = (work, wanted, done)
    Thread.detachNewThread {
      while true {
        wanted.wait()
        guard work.body != nil else { return }
        work.body?()
        // Otherwise a ring that it references would outlive its simulated process.
        work.body = nil
        done.signal()
      }
    }
  }

  func run<Result>(_ body: @escaping () -> Result) -> Result {
    if isOwn { return body() }
    var result: Result?
    work.body = { result = body() }
    wanted.signal()
    done.wait()
    return result!
  }

  func end() {
    if isOwn { return }
    work.body = nil
    wanted.signal()
  }
}
