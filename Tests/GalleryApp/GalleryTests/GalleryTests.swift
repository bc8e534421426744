import Foundation
import Gallery
import StatyRecorder
import StatyTesting
import Synchronization
import Testing

/// A navigation with a path: a double tap pushes a photo twice.
@Suite @MainActor final class GalleryTests {
  /// Loads photos when the test says so.
  private final class SlowLoader: PhotoLoader {
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func load(_ photo: String) async {
      await withCheckedContinuation { waiting.append($0) }
    }

    /// Finishes so many loads.
    func finish(_ count: Int) async {
      while waiting.count < count { await Task.yield() }
      for one in waiting { one.resume() }
      waiting = []
    }
  }

  private let path =
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
  private let fixed: ControllerRegistry = {
    var registry = ControllerRegistry()
    registry.registerGallery("gallery", isFixed: true)
    return registry
  }()

  deinit {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  private func record(_ body: (Gallery, SlowLoader) async -> Void) async throws {
    let recorder = try HistoryRecorder(at: path)
    let loader = SlowLoader()
    let gallery = Gallery(loader: loader)
    recorder.attach(to: gallery.track, as: "gallery")
    await body(gallery, loader)
    await recorder.close()
  }

  private func recordDoubleTap() async throws {
    try await record { gallery, loader in
      gallery.send(.tapped("swan"))
      gallery.send(.tapped("swan"))
      await loader.finish(2)
      while gallery.path.count < 2 { await Task.yield() }
    }
  }

  /// The user looks at a photo, goes back, and looks at it again.
  private func recordPatientUser() async throws {
    try await record { gallery, loader in
      for round in 0..<2 {
        if round > 0 { gallery.send(.wentBack) }
        gallery.send(.tapped("swan"))
        await loader.finish(1)
        while gallery.path.isEmpty { await Task.yield() }
      }
    }
  }

  @Test func `the double tap is reproduced, and named`() async throws {
    try await recordDoubleTap()
    #expect(try replay(path, in: .gallery) == .reproduced(decisions: 2))
    let message = failure { expectNoFindings(in: path) }
    // The two answers come in any order.
    #expect(message.contains("warning[double-push] at event 7: Visit #2 (photo) was put right"))
  }

  @Test func `the bug is found in a recording that does not show it`() async throws {
    try await recordPatientUser()
    expectNoFindings(in: path, warnings: true)
    let message = failure { explore(history: path, in: .gallery) }
    #expect(message.contains("warning[double-push]"))
    #expect(message.contains("No shorter order does this than these 5 steps"))
    explore(history: path, in: fixed)
  }

  @Test func `the double tap is reduced to its messages and kept as a test`() async throws {
    try await recordDoubleTap()
    let small = path + "-small.sqlite"
    defer { try? FileManager.default.removeItem(atPath: small) }
    #expect(try minimize(path, in: .gallery, writingTo: small).requests.after == 4)
    let message = failure { expectNoFindings(replaying: small, in: .gallery) }
    #expect(message.contains("warning[double-push]"))
    expectNoFindings(replaying: small, in: fixed)
    let source = try generateTest(
      from: small, in: .gallery, right: "gallery-fixed", as: ".gallery", importing: ["Gallery"])
    #expect(source.contains("gallery.expectMoves(.pushed(\"photo\"))"), "\(source)")
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
