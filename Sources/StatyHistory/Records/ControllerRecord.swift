package import Staty

/// One controller as the file has it.
package struct ControllerRecord: Equatable, Sendable {
  /// Its number in the file.
  package var id: Int32
  /// The session it belongs to.
  package var session: Int64
  /// The name under which it is recorded.
  package var name: String
  /// The name of its policy.
  package var policy: String
  /// In which order it lets its visits enter, as `Discipline` numbers it.
  package var discipline: UInt8
  /// Its fidelity: 1 full, 2 ordered, 3 three-kind.
  package var fidelity: UInt8
  /// Its snapshot when recording began, as JSON.
  package var snapshot: String

  /// The policy of a controller that was salvaged, if no checksum covers its own.
  package static let unverifiedPolicy = "unverified"
  /// The words that stand for a policy where there is none: they say nothing of the app.
  package static let wordsOfNoPolicy: Set = [unverifiedPolicy, "moves", "stack", "shown"]

  /// Whether it is a track, which stands for something that has no controller.
  package var isTrack: Bool { discipline == Discipline.moves.rawValue }

  /// Whether it is the track of one variable, as `StateTrack` records it.
  package var isStateTrack: Bool { isTrack && policy == "moves" }

  /// Whether it is the track of what the platform shows, which no model moves.
  package var isOfPlatform: Bool { isTrack && policy == "shown" }

  /// The name by which it is made again: the name of a track, or else that of its policy.
  package var kind: String { isTrack ? name : policy }

  /// A controller with these parts.
  package init(
    id: Int32, session: Int64, name: String, policy: String, discipline: UInt8, fidelity: UInt8,
    snapshot: String
  ) {
    self.id = id
    self.session = session
    self.name = name
    self.policy = policy
    self.discipline = discipline
    self.fidelity = fidelity
    self.snapshot = snapshot
  }
}

extension ControllerRecord {
  /// The discipline that the rules check.
  ///
  /// A value that no version has written is judged as the one that demands least.
  package var knownDiscipline: Discipline { Discipline(rawValue: discipline) ?? .atOnce }
}

/// A place in the code as the file has it.
///
/// Two are equal if the bytes of their files are, as in the file.
package struct SiteRecord: Hashable, Sendable {
  /// The file, as `#fileID` names it.
  package var file: String
  /// The line in the file.
  package var line: Int64

  /// This line of this file.
  package init(file: String, line: Int64) {
    self.file = file
    self.line = line
  }

  package static func == (one: SiteRecord, other: SiteRecord) -> Bool {
    one.line == other.line && ExactText(text: one.file) == ExactText(text: other.file)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(ExactText(text: file))
  }
}

/// A range of drawn numbers without events in the file.
package struct LossRecord: Equatable, Sendable {
  /// The first of the numbers.
  package var firstSeq: Int64
  /// The last of the numbers.
  package var lastSeq: Int64
  /// How many of the numbers from first to last have no event.
  package var count: Int64
  /// The reason.
  package var reason: String

  /// A loss with these parts.
  package init(firstSeq: Int64, lastSeq: Int64, count: Int64, reason: String) {
    self.firstSeq = firstSeq
    self.lastSeq = lastSeq
    self.count = count
    self.reason = reason
  }
}

/// A reading of the wall clock at a time of the session's own clock.
package struct AnchorRecord: Equatable, Sendable {
  /// Microseconds since the session began.
  package var time: Int64
  /// Microseconds of the wall clock since 1970.
  package var wallTime: Int64

  /// An anchor with these parts.
  package init(time: Int64, wallTime: Int64) {
    self.time = time
    self.wallTime = wallTime
  }
}
