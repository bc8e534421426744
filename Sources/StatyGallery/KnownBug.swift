package import Staty
public import StatyReplay

/// A bug that people have met, as an app would have it.
package struct KnownBug: Sendable, CustomStringConvertible {
  /// Its name, also as a file.
  package let name: String
  /// What the reporter saw, which is also the heading of the gallery's page.
  package let symptom: String
  /// Where it was reported.
  package let report: String
  /// The name of the track or controller; its fixed version has `-fixed` behind it.
  package let kind: String
  /// What decides whether it happens.
  package let decides: String
  /// Whether it depends on the order of events at all.
  package var dependsOnOrder = true
  /// How `minimize` is told which finding to keep; `nil` if no run of the app alone shows it.
  package var minimizing: [String]? = []
  /// The names that its class gives what it reports.
  package var names: Set<StateName> = []
  /// A version of the app, with what its user does.
  package let scene: @MainActor @Sendable (Version) -> Scene
  let make: @MainActor @Sendable (ReplayContext, Version) -> ReplaySubject

  package var description: String { name }

  package static let all = [
    signOut, deepLink, pause, progressHUD, twoAlerts, twoPushes, doublePop, presentation, banners,
    purchases,
  ]
}

extension ControllerRegistry {
  /// Adds the apps of the gallery by their names, and their fixed versions.
  @MainActor public mutating func registerGallery() {
    for bug in KnownBug.all {
      register(bug.kind, reading: bug.names) { bug.make($0, Version.reported) }
      register("\(bug.kind)-fixed", reading: bug.names) { bug.make($0, Version.fixed) }
    }
  }
}
