import CStaty

/// A sequence of event numbers, drawn from any thread.
// Sendable: the counter is only touched by atomic operations, and lives as long as this object.
public final class Numbering: @unchecked Sendable {
  private let counter: UnsafeMutablePointer<UInt64>
  private let owner: AnyObject?

  /// A numbering that begins with 1.
  public init() {
    counter = .allocate(capacity: 1)
    counter.initialize(to: 0)
    owner = nil
  }

  /// A numbering whose last number stands in this memory, where others can read it after the
  /// process has ended.
  ///
  /// - Parameter owner: keeps the memory in place.
  package init(counter: UnsafeMutablePointer<UInt64>, owner: AnyObject) {
    self.counter = counter
    self.owner = owner
  }

  deinit {
    if owner == nil { counter.deallocate() }
  }

  /// The last number drawn; 0 if there was none.
  public var last: UInt64 { staty_counter_read(counter) }

  /// Draws the next number.
  public func next() -> UInt64 { staty_counter_next(counter) }

  /// The number of the event that the calling thread is handling now, if it is one of these.
  public var handled: UInt64 {
    let handling = staty_handling_get()
    return handling.numbering == address ? handling.number : 0
  }

  /// Runs the body as part of the handling of an event: what it makes happen has it as its cause.
  func handling<Result>(_ number: UInt64, _ body: () -> Result) -> Result {
    let outer = beginHandling(number)
    defer { endHandling(outer) }
    return body()
  }

  /// From now on this thread handles an event; gives what it handled before.
  @inline(__always)
  func beginHandling(_ number: UInt64) -> staty_handling {
    let outer = staty_handling_get()
    staty_handling_set(staty_handling(numbering: address, number: number))
    return outer
  }

  /// This thread handles again what it handled before.
  @inline(__always)
  func endHandling(_ outer: staty_handling) {
    staty_handling_set(outer)
  }

  // Compared, never followed.
  private var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }
}
