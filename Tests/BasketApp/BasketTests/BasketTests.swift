import Basket
import Foundation
import StatyRecorder
import StatyTesting
import Synchronization
import Testing

/// A store with a reducer: something is added while the bank is asked.
@Suite @MainActor final class BasketTests {
  /// A bank that answers when the test says so.
  private final class SlowBank: Bank {
    private var waiting: CheckedContinuation<Bool, Never>?

    func pay(for items: [String]) async -> Bool {
      await withCheckedContinuation { waiting = $0 }
    }

    func answer(_ isPaid: Bool) async {
      while waiting == nil { await Task.yield() }
      waiting.take()?.resume(returning: isPaid)
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
  private let fixed: ControllerRegistry = {
    var registry = ControllerRegistry()
    registry.registerBasket("basket", isFixed: true)
    return registry
  }()

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// - Parameter isHasty: whether the user adds an item before the bank has answered.
  private func record(isHasty: Bool) async throws {
    let recorder = try HistoryRecorder(at: path)
    let bank = SlowBank()
    let screen = BasketScreen(bank: bank)
    recorder.attach(to: screen.track, as: "basket")
    screen.store.send(.added("tea"))
    screen.store.send(.payTapped)
    if isHasty { screen.store.send(.added("cup")) }
    await bank.answer(true)
    while screen.store.state.phase != .paid { await Task.yield() }
    if !isHasty { screen.store.send(.added("cup")) }
    await recorder.close()
  }

  @Test func `the bug is reproduced, and named`() async throws {
    try await record(isHasty: true)
    #expect(try replay(path, in: .basket) == .reproduced(decisions: 4))
    let message = failure { expectNoFindings(in: path) }
    #expect(message.contains("error[undeclared-transition]"))
    #expect(message.contains("Visit #5 (paid) entered, but no route leads there from filled"))
  }

  @Test func `the bug is found in a recording that does not show it`() async throws {
    try await record(isHasty: false)
    expectNoFindings(in: path, warnings: true)
    let message = failure { explore(history: path, in: .basket) }
    #expect(message.contains("error[undeclared-transition]"))
    #expect(message.contains("No shorter order does this than these 4 steps"))
    explore(history: path, in: fixed)
  }

  @Test func `the bug is reduced to its actions and kept as a test`() async throws {
    try await record(isHasty: true)
    let small = path + "-small.sqlite"
    defer { try? FileManager.default.removeItem(atPath: small) }
    #expect(try minimize(path, in: .basket, writingTo: small).requests.after == 4)
    let message = failure { expectNoFindings(replaying: small, in: .basket) }
    #expect(message.contains("error[undeclared-transition]"))
    expectNoFindings(replaying: small, in: fixed)
    let source = try generateTest(
      from: small, in: .basket, right: "basket-fixed", as: ".basket", importing: ["Basket"])
    #expect(source.contains(#"basket.expectMoves("filled", "paying", "paid")"#), "\(source)")
  }

  /// What fails in the body; it is to fail.
  private func failure(_ body: () -> Void) -> String {
    let messages = Mutex<[String]>([])
    withKnownIssue {
      body()
    } matching: { issue in
      messages.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    return messages.withLock { $0.joined() }
  }
}
