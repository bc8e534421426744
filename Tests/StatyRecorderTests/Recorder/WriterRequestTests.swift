import Testing

@testable import StatyRecorder

/// A caller that waits for the writer gets the result of its own request.
@Suite struct WriterRequestTests {
  let requests = WriterRequests()

  @Test
  func `a waiting caller gets its own failure, even if later requests succeeded before it woke up`()
  {
    let first = requests.ask(waiting: true) { $0.level = .stored }
    requests.answer(first, failure: "disk full")
    let second = requests.ask(waiting: true) { $0.level = .stored }
    requests.answer(second, failure: "still full")
    let third = requests.ask(waiting: true) { $0.level = .stored }
    requests.answer(third)
    #expect(requests.wait(for: first, atMost: 1) == "disk full")
    #expect(requests.wait(for: third, atMost: 1) == nil)
    #expect(requests.wait(for: second, atMost: 1) == "still full")
  }

  @Test func `one answer serves all callers that asked before it`() {
    let numbers = (0..<3).map { _ in requests.ask(waiting: true) { $0.level = .stored } }
    let taken = requests.take()
    #expect(taken.number == numbers.last)
    requests.answer(taken.number, failure: "disk full")
    for number in numbers { #expect(requests.wait(for: number, atMost: 1) == "disk full") }
    #expect(!requests.isPending)
  }
}
