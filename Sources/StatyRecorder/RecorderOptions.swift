public import Foundation

/// How a recorder works; the defaults are meant for apps.
public struct RecorderOptions: Sendable {
  /// The app's name and version, as the view `sessions` shows them.
  public var app: String
  /// See ``app``.
  public var appVersion: String

  /// Whether states' payloads are recorded.
  ///
  /// What a state wants hashed or omitted is so in any case.
  public var recordsPayloads = true

  /// How many bytes of a payload are recorded; a longer one is cut and begins with `cut:`.
  public var mostPayloadBytes = 4_096

  /// How many events a thread can be ahead of the file, at least, before the newest are dropped.
  ///
  /// Events wait in the ring, a file next to the history, which has 64 bytes for each and room for one and a
  /// half times as many: 4 MB with the default. Threads share it. From 2 to 4,194,304.
  public var eventsPerThread = 28_672

  /// How long the writer gathers events before it commits them.
  public var gathering: Duration = .milliseconds(150)

  /// What is kept when the history grows: by default 64 MB or 30 days, whichever comes first.
  public var retention = Retention(bytes: 64 << 20, age: .seconds(30 * 86_400))

  /// Whether the file can be read only by this process while it records.
  public var isExclusive = false

  /// The options for an app of this name.
  ///
  /// - Parameters:
  ///   - app: by default the name of the running program.
  ///   - appVersion: by default version and build of the main bundle, such as "2.1 (57)"; empty if it has none.
  public init(app: String = ProcessInfo.processInfo.processName, appVersion: String? = nil) {
    self.app = app
    self.appVersion = appVersion ?? Self.bundleVersion
  }

  private static var bundleVersion: String {
    let facts = Bundle.main.infoDictionary
    guard let version = facts?["CFBundleShortVersionString"] as? String else { return "" }
    let build = facts?["CFBundleVersion"] as? String
    return version + (build.map { " (\($0))" } ?? "")
  }
}
