import Foundation

/// A thread that does what it is told, one thing after the other; or the one that tells.
final class Hand: Sendable {
  // Unchecked: handed over by the two semaphores, so that only one thread has it at a time.
  private final class Work: @unchecked Sendable {
    var body: (() -> Void)?
  }

  private let work = Work()
  private let wanted = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  private let isOwn: Bool

  /// - Parameter isOwn: whether work runs on the calling thread, which costs less.
  init(isOwn: Bool = false) {
    self.isOwn = isOwn
    if isOwn { return }
    let (work, wanted, done) = (work, wanted, done)
    Thread.detachNewThread {
      while true {
        wanted.wait()
        guard work.body != nil else { return }
        work.body?()
        // Or a ring that it holds would outlive its process.
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
