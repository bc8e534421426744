/// Records with the real clock, and once more if the main actor was too busy to keep the times.
///
/// Other tests run beside it: what came late because of them is no bug of what is recorded.
@MainActor public func steadily<Recorded: Sendable>(
  _ record: @MainActor () async throws -> Recorded
) async rethrows -> Recorded {
  for _ in 0..<8 {
    let watch = Task { await longestDelay() }
    defer { watch.cancel() }
    let recorded = try await record()
    watch.cancel()
    if await watch.value < .milliseconds(20) { return recorded }
  }
  return try await record()
}

@MainActor private func longestDelay() async -> Duration {
  let pause = Duration.milliseconds(5)
  var longest = Duration.zero
  while !Task.isCancelled {
    let begun = ContinuousClock.now
    try? await Task.sleep(for: pause)
    longest = max(longest, ContinuousClock.now - begun - pause)
  }
  return longest
}
