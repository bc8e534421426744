public import Foundation
internal import Staty
internal import StatyHistory
internal import StatyReplay

/// Replays a history and compares what happens with the recording.
///
/// The registry creates the controllers and models. The replay sends them the recorded inputs and
/// compares their outputs.
///
/// ```swift
/// @Test @MainActor func `the feed still does what it did`() throws {
///   #expect(try replay("late-response", in: .feed) == .reproduced(decisions: 5))
/// }
/// ```
///
/// Everything runs twice, in the caller's isolation. If the two runs differ, the verdict is
/// inconclusive. Both runs are in one process. A model that depends on something that is constant
/// in a process, such as the hash seed, is not detected; `staty replay` detects it with a second
/// process.
///
/// - Parameters:
///   - history: a path, or the name of a file, with or without `.sqlite`. The file is searched in
///     the folder `Histories` next to the test, next to the test, and in the bundle. It is only
///     read.
///   - registry: creates what is replayed. Controllers and tracks that it does not know are
///     skipped.
///   - bundle: the bundle to search if there is no such file next to the test, for example on a
///     device.
/// - Returns: the verdict on all sessions. If one session diverged, this is its first divergence.
/// - Throws: an error if the history does not exist or is damaged.
public func replay(
  _ history: String, in registry: ControllerRegistry, bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) throws -> ReplayVerdict {
  let location = TestLocation(fileID, filePath, line, column)
  return try ReplayedHistory(KeptHistory(history, bundle, location), registry).verdict
}

/// Expects that a replay of a history reproduces the recording.
///
/// ```swift
/// @Test @MainActor func `the feed still does what it did`() {
///   expectReproduced("late-response", in: .feed)
/// }
/// ```
///
/// If the replay diverges or is inconclusive, the test fails. The message shows the recording as
/// lanes. In Swift Testing, the history and its HTML page are attached to the failure.
public func expectReproduced(
  _ history: String, in registry: ControllerRegistry, bundle: Bundle? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = TestLocation(fileID, filePath, line, column)
  do {
    let kept = try KeptHistory(history, bundle, location)
    let replayed = try ReplayedHistory(kept, registry)
    if case .reproduced = replayed.verdict { return }
    // If nothing is registered, there is no session that the verdict is about.
    let picture =
      replayed.session == 0
      ? "" : try "\n" + kept.timeline(session: replayed.session, marked: replayed.marked)
    // What was wrong when it was recorded is not done any more.
    let advice =
      if case .diverged = replayed.verdict {
        "\nIf this is what your fix changes, the recording has done its work: delete this test, and keep "
          + "the ones that say what is right."
      } else {
        ""
      }
    reportFailure("\(replayed.verdict)\(advice)\(picture)", at: location)
    try kept.attach(at: location)
  } catch {
    reportFailure("The history '\(history)' could not be replayed: \(error)", at: location)
  }
}

/// The verdict of a replayed history, with the place it is about.
private struct ReplayedHistory {
  let verdict: ReplayVerdict
  /// The session and the event that the verdict is about.
  private(set) var session: Int64 = 0
  private(set) var marked: Int64?

  init(_ kept: KeptHistory, _ registry: ControllerRegistry) throws {
    var matched = 0
    var reasons: [String] = []
    for record in try kept.sessions {
      let controllers = try kept.reader.controllers(session: record.id)
      let known = controllers.filter { registry.contains($0.kind) }
      if !registry.models.isEmpty {
        guard MainActor.isCurrent else { throw NotOnMainActor() }
        // The registry's models are of the main actor, and so is a test that replays them: nothing
        // is sent anywhere.
        nonisolated(unsafe) let (kept, registry) = (kept, registry)
        let orders = try MainActor.assumeIsolated {
          try kept.reproduced(record, in: registry, WorldOptions())
        }
        for order in orders {
          session = record.id
          switch order.verdict {
          case .reproduced(let decisions): matched += decisions
          case .inconclusive(let some): reasons += some
          case .diverged(let divergence):
            (verdict, marked) = (order.verdict, divergence.event)
            return
          }
        }
      }
      if known.isEmpty { continue }
      let verification = try Verification(
        kept.reader, session: record.id, only: Set(known.map(\.id)), registry: registry)
      let result = try verification.run().confirmed(by: verification.run())
      if result.verdict == .inconclusive || session == 0 { session = record.id }
      if result.verdict == .diverged, let first = result.divergences.first {
        let names = try kept.reader.names()
        (session, marked) = (record.id, first.seq)
        let around = try kept.reader.events(
          session: record.id, from: first.seq, through: first.seq
        ).next()
        let words = DivergenceWords(first, around: [around].compactMap(\.self)) { names[$0] }
        verdict = .diverged(
          ReplayDivergence(
            first, words, controllers.first { $0.id == first.controller }?.name ?? "?"))
        return
      }
      matched += result.matched
      reasons += result.doubts.map { doubt in
        doubt.advised { id in controllers.first { $0.id == id }?.name ?? "?" }
      }
      if result.doubts.isEmpty, result.verdict == .inconclusive {
        reasons.append("Some of what was recorded could not be told.")
      }
    }
    if session == 0 {
      reasons.append(try NothingKnown(kept, registry).description)
    }
    verdict = reasons.isEmpty ? .reproduced(decisions: matched) : .inconclusive(reasons)
  }
}

extension ReplayDivergence {
  fileprivate init(_ divergence: Divergence, _ words: DivergenceWords, _ controller: String) {
    self.controller = controller
    event = divergence.seq
    matched = divergence.matchedBefore
    (recorded, replayed) = (words.recorded, words.replayed)
  }
}
