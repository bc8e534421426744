import CStatyRing
import Foundation
import StatyRecorder
import Testing

@Suite("A flight ring and fork")
struct ForkTests {
  @Test("A forked child records nothing, changes nothing, and does not keep the lock")
  func child() throws {
    let directory = try RingDirectory()
    let ring = try directory.ring()
    #expect(ring.put(record(1)) == .stored)
    let before = try directory.bytes()
    // A forked child must not depend on other threads. A put and a note do not.
    let child = try #require(
      forked { ring.put(record(2)) == .dead && !ring.note([1], kind: 1, id: 1) })
    #expect(ring.put(record(3)) == .stored)
    ring.close(removingFile: false)
    // The child is still running, but the file is not locked.
    let recovered = try FlightRing.recover(path: directory.file())
    #expect(try recovered.records().map(\.number) == [1, 3])
    #expect(before.count == (try directory.bytes().count))
    #expect(child.end() == 0)
  }
}

private struct Child {
  let pid: pid_t
  let gate: Int32

  /// Lets the child end, and returns its exit status.
  func end() -> Int32 {
    close(gate)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return status
  }
}

/// A forked child that runs the body, waits for its gate, and exits with 0 if the body returned true.
private func forked(_ body: () -> Bool) -> Child? {
  // Swift does not import `fork`, because little works in the child of a program with threads.
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { return nil }
  let fork = unsafeBitCast(symbol, to: Fork.self)
  var gate: [Int32] = [0, 0]
  guard pipe(&gate) == 0 else { return nil }
  let pid = fork()
  if pid == 0 {
    close(gate[1])
    let passed = body()
    var byte: UInt8 = 0
    while read(gate[0], &byte, 1) > 0 {}
    _exit(passed ? 0 : 1)
  }
  close(gate[0])
  return pid > 0 ? Child(pid: pid, gate: gate[1]) : nil
}
