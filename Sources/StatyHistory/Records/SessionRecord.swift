/// How a session ended, as far as the file knows.
public enum SessionEnd: String, Hashable, Sendable, CaseIterable {
  /// It has not: it is being recorded, or nobody has looked since.
  case open
  /// Its process said goodbye.
  case clean
  /// Its process was gone without a word.
  case crash
}

/// What is said of a session when it begins.
public struct SessionOpening: Equatable, Sendable {
  /// Its name everywhere; a second session of the same name is refused.
  public var uuid: String
  /// The app's name.
  public var app: String
  /// The app's version.
  public var appVersion: String
  /// The operating system and its version.
  public var os: String
  /// The number of its process.
  public var pid: Int32
  /// Microseconds of the wall clock since 1970.
  public var wallTime: Int64
  /// The number from which on its events are numbered; by default the next free one.
  ///
  /// A session owns all numbers from here to the first one of the next.
  public var firstSeq: Int64?

  /// An opening with these parts.
  public init(
    uuid: String, app: String, appVersion: String, os: String, pid: Int32, wallTime: Int64,
    firstSeq: Int64? = nil
  ) {
    self.uuid = uuid
    self.app = app
    self.appVersion = appVersion
    self.os = os
    self.pid = pid
    self.wallTime = wallTime
    self.firstSeq = firstSeq
  }
}

/// One session as the file has it.
public struct SessionRecord: Equatable, Sendable {
  /// Its number in the file.
  public var id: Int64
  /// Its name everywhere.
  public var uuid: String
  /// The app's name.
  public var app: String
  /// The app's version.
  public var appVersion: String
  /// The operating system and its version.
  public var os: String
  /// The number of its process.
  public var pid: Int32
  /// The wall clock at its beginning, in microseconds since 1970.
  public var wallTime: Int64
  /// The first number that is its own.
  public var firstSeq: Int64
  /// The highest number that is stored; none before the first event.
  public var lastSeq: Int64?
  /// The time of the last stored event, in microseconds since the session began.
  public var lastTime: Int64
  /// How it ended; none if the file says something that no version has written.
  public var ended: SessionEnd?
  /// The numbers that were drawn, as far as is known.
  public var observed: Int64
  /// The events that were stored.
  public var stored: Int64
  /// The last number that can be its own: the one before the next session's first.
  public var lastOwnSeq: Int64
  /// Where its beginning was cut off, if it was.
  public var cut: SessionCut?

  /// The first of its numbers that was not cut off.
  public var keptSeq: Int64 { cut?.seq ?? firstSeq }
}
