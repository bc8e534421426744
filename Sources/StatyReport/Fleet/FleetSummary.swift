/// What the rules say of the sessions of many files, added up: as long as the names in it are few, it
/// takes the same room for a thousand files and for a million.
package struct FleetSummary {
  /// A session, as far as a fleet wants to know it.
  package struct Session {
    /// How its file is called, below the folder.
    var file: String
    /// Where its file is, as a page beside it links to it.
    var link: String
    /// Its number in the file.
    var id: Int64
    var app: String
    var version: String
    var os: String
    /// When it began, ISO 8601 in UTC.
    var started: String
    var events: Int64
    var lost: Int64
    var findings: [Finding]

    package init(
      file: String, link: String, id: Int64, app: String, version: String, os: String,
      started: String, events: Int64, lost: Int64, findings: [Finding]
    ) {
      (self.file, self.link, self.id) = (file, link, id)
      (self.app, self.version, self.os, self.started) = (app, version, os, started)
      (self.events, self.lost, self.findings) = (events, lost, findings)
    }

    var errors: Int { findings.count { $0.isError } }
    var warnings: Int { findings.count - errors }
  }

  /// What a rule found.
  package struct Finding {
    var code: String
    var isError: Bool
    var controller: String

    package init(code: String, isError: Bool, controller: String) {
      (self.code, self.isError, self.controller) = (code, isError, controller)
    }
  }

  /// A file that could not be read, or a session of one.
  package struct Damage {
    var file: String
    var problem: String

    package init(file: String, problem: String) { (self.file, self.problem) = (file, problem) }
  }

  /// How often something was found, and in how many sessions.
  struct Count {
    var sessions = 0
    var findings = 0
  }

  /// An app and its version.
  struct Release: Hashable {
    let app: String
    let version: String
  }

  /// So many names of a kind are told apart; what comes after them is one.
  private static let mostNames = 500
  private static let others = "(others)"
  static let mostDamages = 200
  static let mostWorst = 50

  package private(set) var files = 0
  package private(set) var sessions = 0
  package private(set) var broken = 0
  private(set) var events: Int64 = 0
  private(set) var lost: Int64 = 0
  package private(set) var damageCount = 0
  private(set) var damages: [Damage] = []
  private(set) var severities: [String: Bool] = [:]
  private(set) var byCode: [String: Count] = [:]
  private(set) var releases: [Release: Int] = [:]
  private(set) var byRelease: [String: [Release: Int]] = [:]
  private(set) var byController: [String: [String: Int]] = [:]
  private(set) var worst: [Session] = []
  private var controllers: Set<String> = []

  package init() {}

  /// Takes in that a file could be read.
  package mutating func addFile() { files += 1 }

  /// Takes in what could not be read.
  package mutating func add(_ damage: Damage) {
    damageCount += 1
    if damages.count < Self.mostDamages { damages.append(damage) }
  }

  /// Takes in a session.
  package mutating func add(_ session: Session) {
    sessions += 1
    events &+= session.events
    lost &+= session.lost
    let release = release(of: session)
    releases[release, default: 0] += 1
    guard !session.findings.isEmpty else { return }
    if session.errors > 0 { broken += 1 }
    for finding in session.findings {
      severities[finding.code] = finding.isError
      byCode[finding.code, default: Count()].findings += 1
    }
    for code in Set(session.findings.map(\.code)) {
      byCode[code]?.sessions += 1
      byRelease[code, default: [:]][release, default: 0] += 1
      let guilty = Set(
        session.findings.filter { $0.code == code }.map { controller($0.controller) })
      for name in guilty { byController[name, default: [:]][code, default: 0] += 1 }
    }
    keepIfBad(session)
  }

  private func release(of session: Session) -> Release {
    let release = Release(app: session.app, version: session.version)
    guard releases[release] == nil, releases.count >= Self.mostNames else { return release }
    return Release(app: "", version: Self.others)
  }

  private mutating func controller(_ name: String) -> String {
    if controllers.contains(name) { return name }
    guard controllers.count < Self.mostNames else { return Self.others }
    controllers.insert(name)
    return name
  }

  private mutating func keepIfBad(_ session: Session) {
    let place = worst.firstIndex { Self.isWorse(session, $0) } ?? worst.endIndex
    guard place < Self.mostWorst else { return }
    worst.insert(session, at: place)
    if worst.count > Self.mostWorst { worst.removeLast() }
  }

  private static func isWorse(_ one: Session, _ other: Session) -> Bool {
    (one.errors, one.warnings, one.lost) > (other.errors, other.warnings, other.lost)
  }
}

extension FleetSummary.Release: Comparable {
  /// By the numbers in it: 2.10 comes after 2.9.
  static func < (one: Self, other: Self) -> Bool {
    if one.app != other.app { return one.app < other.app }
    let (parts, others) = (one.parts, other.parts)
    for (part, otherPart) in zip(parts, others) where part != otherPart {
      if let number = Int(part), let otherNumber = Int(otherPart), number != otherNumber {
        return number < otherNumber
      }
      return part < otherPart
    }
    return (parts.count, one.version) < (others.count, other.version)
  }

  private var parts: [Substring] { version.split { $0 == "." || $0 == "-" } }
}
