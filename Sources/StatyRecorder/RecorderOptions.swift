public import Foundation

/// The settings of a recorder.
///
/// The defaults are for apps.
public struct RecorderOptions: Sendable {
  /// The app's name in the view `sessions`.
  public var app: String
  /// The app's version in the view `sessions`.
  public var appVersion: String

  /// Whether payloads of states are recorded.
  ///
  /// A state can also have its payload hashed or omitted.
  public var recordsPayloads = true

  /// The most bytes of a payload that are recorded.
  ///
  /// A longer payload is cut and begins with `cut:`.
  public var mostPayloadBytes = 4_096

  /// The number of events that one thread can record before the first of them is stored; further events are lost
  /// until there is room again.
  ///
  /// From 2 to 4,194,304. It sets the size of the ring, in which events wait until they are stored: 64 bytes for
  /// each event, and room for one and a half times as many; 4 MB by default. The room for names and payloads
  /// grows with it, and is at least 1 MB. All threads share the ring.
  public var eventsPerThread = 28_672

  /// The time for which the recorder gathers events before it commits them.
  public var gathering: Duration = .milliseconds(150)

  /// The limits of the history: by default 64 MB and 30 days.
  ///
  /// Older events are deleted.
  public var retention = Retention(bytes: 64 << 20, age: .seconds(30 * 86_400))

  /// Whether other processes are kept from reading the file while this one records.
  public var isExclusive = false

  /// Creates the default options.
  ///
  /// - Parameters:
  ///   - app: the app's name; by default the name of the process.
  ///   - appVersion: the app's version; by default version and build of the main bundle, such as "2.1 (57)", or
  ///     empty if it has none.
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
