public import Foundation

/// How a recorder works; the defaults are meant for apps.
public struct RecorderOptions: Sendable {
  /// The app's name and version, as the history's sessions say.
  public var app: String
  /// See ``app``.
  public var appVersion: String

  /// Whether states' payloads are recorded.
  ///
  /// What a state wants hashed or omitted is so in any case.
  public var recordsPayloads = true

  /// Payloads longer than this are cut off, in bytes.
  public var mostPayloadBytes = 4_096

  /// How many events a thread can be ahead of the file before the newest are dropped.
  ///
  /// Rounded up to a power of two, from 2 to 4,194,304.
  ///
  /// Each takes 64 bytes for each of 15 threads in the ring, which is written out in full when it is
  /// made: 34 MB with the default. An app that is to record needs that much room beside its history.
  public var eventsPerThread = 32_768

  /// How long the writer gathers events before it commits them.
  public var gathering: Duration = .milliseconds(150)

  /// What is kept when the history grows.
  public var retention = Retention()

  /// Whether the file can be read only by this process while it records.
  public var isExclusive = false

  /// The options for an app of this name.
  ///
  /// - Parameter app: by default the name of the running program.
  public init(app: String = ProcessInfo.processInfo.processName, appVersion: String = "") {
    self.app = app
    self.appVersion = appVersion
  }
}
