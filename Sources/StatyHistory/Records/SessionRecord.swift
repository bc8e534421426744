/// How a session ended.
public enum SessionEnd: String, Hashable, Sendable, CaseIterable {
  /// It has not ended: it is being recorded, or no recorder has opened the file since.
  case open
  /// Its recorder was closed.
  case clean
  /// Its process was killed while it was suspended, as the system does with apps in the background.
  case suspended
  /// Its process ended in any other way without closing the recorder, such as by a crash.
  case killed
  /// Its process went on recording in the next session.
  case continued
}

/// Everything that is known of a session when it begins.
package struct SessionOpening: Equatable, Sendable {
  /// Its unique name; a second session of the same name is refused.
  package var uuid: String
  /// The app's name.
  package var app: String
  /// The app's version.
  package var appVersion: String
  /// The operating system and its version.
  package var os: String
  /// The number of its process.
  package var pid: Int32
  /// Microseconds of the wall clock since 1970.
  package var wallTime: Int64
  /// The first number of its events; by default the next free one.
  ///
  /// A session owns all numbers from here to the first one of the next.
  package var firstSeq: Int64?
  /// The name of the session in which its process began to record, if that is another.
  package var run: String?

  /// An opening with these parts.
  package init(
    uuid: String, app: String, appVersion: String, os: String, pid: Int32, wallTime: Int64,
    firstSeq: Int64? = nil, run: String? = nil
  ) {
    self.uuid = uuid
    self.app = app
    self.appVersion = appVersion
    self.os = os
    self.pid = pid
    self.wallTime = wallTime
    self.firstSeq = firstSeq
    self.run = run
  }
}

extension SessionOpening {
  /// What was known of a session when it began.
  package init(_ session: SessionRecord) {
    self.init(
      uuid: session.uuid, app: session.app, appVersion: session.appVersion, os: session.os,
      pid: session.pid, wallTime: session.wallTime, firstSeq: session.firstSeq, run: session.run)
  }
}

/// One session as the file has it.
package struct SessionRecord: Equatable, Sendable {
  /// Its number in the file.
  package var id: Int64
  /// Its unique name.
  package var uuid: String
  /// The app's name.
  package var app: String
  /// The app's version.
  package var appVersion: String
  /// The operating system and its version.
  package var os: String
  /// The number of its process.
  package var pid: Int32
  /// The wall clock at its beginning, in microseconds since 1970.
  package var wallTime: Int64
  /// The first number that it owns.
  package var firstSeq: Int64
  /// The highest number that is stored; none before the first event.
  package var lastSeq: Int64?
  /// The time of the last stored event, in microseconds since the session began.
  package var lastTime: Int64
  /// The time up to which it is known to have run: that of its last event, or of its last anchor if
  /// that is later.
  package var endTime: Int64
  /// How it ended; none if the file holds a value that no version has written.
  package var ended: SessionEnd?
  /// How many numbers are known to be drawn.
  package var observed: Int64
  /// The number of stored events.
  package var stored: Int64
  /// The edition of the rules that checked it; none if it was not checked.
  package var edition: Int?
  /// The time up to which the rules checked it, in microseconds since it began.
  package var judgedTime: Int64?
  /// The name of the session in which its process began to record, if that is another.
  package var run: String?
  /// Whether more would have happened: its controllers may have been about to do something.
  package var isCut: Bool { ended != .clean && ended != .continued }
  /// The last number that it may own: the one before the next session's first.
  package var lastOwnSeq: Int64

  /// A session of which only its name and its beginning are known.
  package init(id: Int64, _ opening: SessionOpening, firstSeq: Int64) {
    (self.id, uuid, app, appVersion) = (id, opening.uuid, opening.app, opening.appVersion)
    (os, pid, wallTime, run) = (opening.os, opening.pid, opening.wallTime, opening.run)
    (self.firstSeq, lastOwnSeq) = (firstSeq, .max)
    (lastTime, endTime, observed, stored) = (0, 0, 0, 0)
  }
}
