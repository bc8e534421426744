import CStaty
import Synchronization

/// A sequence of event numbers, drawn from any thread.
public final class Numbering: Sendable {
  private let drawn: Atomic<UInt64>

  /// A numbering whose first number follows this one.
  public init(after last: UInt64 = 0) {
    drawn = Atomic(last)
  }

  /// The last number drawn; 0 or what the numbering began after, if there was none.
  public var last: UInt64 { drawn.load(ordering: .relaxed) }

  /// Draws the next number.
  public func next() -> UInt64 {
    drawn.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The number of the event that the calling thread is handling now, if it is one of these.
  public var handled: UInt64 {
    let handling = staty_handling_get()
    return handling.numbering == address ? handling.number : 0
  }

  /// Runs the body as part of the handling of an event: what it makes happen has it as its cause.
  func handling<Result>(_ number: UInt64, _ body: () -> Result) -> Result {
    let outer = staty_handling_get()
    staty_handling_set(staty_handling(numbering: address, number: number))
    defer { staty_handling_set(outer) }
    return body()
  }

  // Compared, never followed.
  private var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }
}
