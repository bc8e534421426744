// With Apple's headers, a file has Dispatch's own queue next to the double's, which runs nowhere.
#if os(Linux)

  import Foundation
  import Testing
  import UIKit

  /// A file that imports Foundation beside UIKit.
  @MainActor @Suite struct QueueTests {
    @Test func `With Foundation beside UIKit, work of the main queue runs on the double's clock`() {
      UIKitDouble.reset()
      let log = Log()
      DispatchQueue.main.async { log.add("next turn") }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { log.add("a second later") }
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(500)) { log.add("half") }
      #expect(log.lines == [])
      UIKitDouble.drain()
      #expect(log.lines == ["next turn"])
      UIKitDouble.run()
      #expect(log.lines == ["next turn", "half", "a second later"])
      #expect(UIKitDouble.now == 1)
    }

    @MainActor private final class Log {
      private(set) var lines: [String] = []

      nonisolated func add(_ line: String) {
        MainActor.assumeIsolated { lines.append(line) }
      }
    }
  }

  // Code without an isolation may name a queue and a time.
  private func later(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: body)
  }

#endif
