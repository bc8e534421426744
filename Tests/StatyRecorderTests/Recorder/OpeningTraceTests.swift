#if os(Linux)
  import Chance
  import Foundation
  import Testing

  /// The system calls of the thread that opens a recorder.
  @Suite struct OpeningTraceTests {
    @Test(.enabled(if: Shell.output("strace", ["-V"]) != "", "strace is not installed."))
    func `the thread that opens a recorder writes at most 256 KB`() throws {
      let place = try Place()
      let trace = place.directory + "/trace"
      _ = Shell.output(
        "strace",
        [
          "-f", "-o", trace, "-e", "trace=write,writev,pwrite64,pwritev,pwritev2,fallocate",
          Probe.executable("RecorderProbe").path, "crash", place.path,
        ])
      let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      let begin = try #require(lines.firstIndex { $0.contains(#"write(1, "opening"#) })
      let thread = try #require(lines[begin].split(separator: " ").first)
      // If another thread interrupts a call, it has two lines, and the second one has its result.
      let calls = lines[(begin + 1)...].filter { $0.hasPrefix(thread + " ") }
      let end = try #require(calls.firstIndex { $0.contains("write(1, ") })
      let results = calls[..<end].filter { !$0.contains("fallocate") }
        .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
      let written = results.reduce(0, +)
      #expect(written > 0)
      #expect(written <= 256 << 10)
      figure("opening a recorder writes \(written) bytes in \(results.count) calls on its thread")
    }
  }
#endif
