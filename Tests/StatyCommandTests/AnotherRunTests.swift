import Testing

@testable import StatyCommand

/// The run of a replay in another process: it may wait for what never comes.
@Suite struct AnotherRunTests {
  private func trouble(_ script: String, limit: Duration) -> AnotherRun.Trouble? {
    let run = AnotherRun("/bin/sh", arguments: ["-c", script], limit: limit)
    do throws(AnotherRun.Trouble) {
      _ = try run.lines()
      return nil
    } catch {
      return error
    }
  }

  @Test func `one that says nothing is stopped`() {
    #expect(trouble("exec sleep 600", limit: .milliseconds(50)) == .endless(.milliseconds(50)))
  }

  @Test func `a process that has written everything and goes on is stopped`() {
    let script = "echo a; exec sleep 600 >&-"
    #expect(trouble(script, limit: .milliseconds(50)) == .endless(.milliseconds(50)))
  }

  @Test func `one that ends is read to its end, whatever its verdict`() throws {
    for code in 0...2 {
      let run = AnotherRun(
        "/bin/sh", arguments: ["-c", "echo a; sleep 0.1; echo b; exit \(code)"],
        limit: .seconds(500))
      #expect(try run.lines() == ["a", "b"])
    }
    #expect(trouble("exit 70", limit: .seconds(500)) == .failed(70))
  }

  @Test func `the limit grows with the first run, and is never tight`() {
    #expect(AnotherRun.limit(ifFirstTook: .zero) == .seconds(60))
    #expect(AnotherRun.limit(ifFirstTook: .seconds(30)) == .seconds(660))
  }

  @Test func `a stopped rule leaves the verdict open and is reported`() {
    let sentence = Disagreement(.endless(.seconds(80))).sentence
    #expect(
      sentence == "A controller that depends on more than its inputs would not be noticed, because "
        + "a second run had not come to its end after 80 s, which is far longer than the first "
        + "took, and was stopped.")
  }
}
