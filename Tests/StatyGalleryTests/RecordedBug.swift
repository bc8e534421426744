import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay

@testable import StatyGallery

/// A recording of a scene of the gallery.
@MainActor final class RecordedBug {
  let reader: HistoryReader
  let path: String
  private let bug: KnownBug
  private let folder: URL

  /// Plays a scene while it is recorded.
  ///
  /// - Parameter rest: how long the user then looks at what is there.
  init(
    _ bug: KnownBug, _ version: Version, _ order: Scene.Order, rest: Duration = .zero
  ) async throws {
    self.bug = bug
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("\(bug.name).sqlite").path
    let recorder = try HistoryRecorder(at: path)
    let scene = bug.scene(version)
    for (name, part) in scene.parts { recorder.attach(to: part, as: "\(name)") }
    scene.play(order)
    if rest > .zero { try await Task.sleep(for: rest) }
    await recorder.close()
    withExtendedLifetime(scene) {}
    reader = try HistoryReader(path: path)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A registry in which the recorded kind is a version of the app.
  func registry(_ version: Version) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register(bug.kind) { [bug] in bug.make($0, version) }
    return registry
  }

  /// What is recorded of the app, without what the platform shows beside it.
  func scenario(_ registry: ControllerRegistry) throws -> Scenario {
    try Scenario(reader, session: 1, only: own, registry: registry)
  }

  var own: Set<Int32> {
    get throws {
      Set(try reader.controllers(session: 1).filter { $0.name == bug.kind }.map(\.id))
    }
  }
}
