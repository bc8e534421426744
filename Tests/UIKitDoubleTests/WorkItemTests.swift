import Testing
import UIKit

/// Queues and items in a file that imports UIKit alone.
@MainActor @Suite struct WorkItemTests {
  @Test func `Work of another queue runs on the same clock, and an item can be cancelled`() {
    UIKitDouble.reset()
    let ran = Ran()
    DispatchQueue.global().async { MainActor.assumeIsolated { ran.count += 1 } }
    let item = DispatchWorkItem { MainActor.assumeIsolated { ran.count += 10 } }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: item)
    let kept = DispatchWorkItem { MainActor.assumeIsolated { ran.count += 100 } }
    DispatchQueue.main.async(execute: kept)
    item.cancel()
    UIKitDouble.run()
    #expect(ran.count == 101)
    #expect(item.isCancelled)
  }

  @MainActor private final class Ran {
    var count = 0
  }
}
