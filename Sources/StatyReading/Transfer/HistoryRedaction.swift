package import StatyHistory
/// Writes a copy of a history without names and payloads.
///
/// Equal names become equal tokens, numbered in the order of their appearance: `state-1`,
/// `controller-2`. Times, kinds, numbers and known policies stay, so that rules and replays give
/// the same results as with the original. Findings are left out, because their sentences contain
/// names: check the new history with the rules.
package struct HistoryRedaction {
  /// What may stay.
  package struct Options: Sendable {
    /// The names of policies and controllers that may stay; others become tokens.
    package var policies: Set<String> = []
    /// Names that stay because a controller's own code bases decisions on them.
    package var names: Set<String> = []
    /// Whether the operating system's name stays.
    package var keepsOS = false

    /// The strictest options.
    package init() {}
  }

  /// What was redacted.
  package struct Summary: Equatable, Sendable {
    /// How many sessions there are.
    var sessions = 0
    /// The number of events.
    package var events: Int64 = 0
    /// The number of different names and payloads that became tokens.
    package var tokens = 0
    /// Names that were to stay but are not in the history.
    package var strangers: [String] = []
  }

  private let options: Options
  private let uuid: () -> String

  /// A redaction.
  ///
  /// - Parameter uuid: returns a new UUID for each session, which does not reveal the original one.
  package init(_ options: Options = Options(), uuid: @escaping () -> String) {
    self.options = options
    self.uuid = uuid
  }

  /// Writes the sessions of a history, which should have been verified before, into a new one.
  package func write(_ reader: HistoryReader, into writer: HistoryWriter) throws -> Summary {
    let lines = try HistoryLines(reader)
    var importer = LineImporter(writer)
    var tokens = RedactionTokens(keeping: options.names)
    try importer.asHistory { importer throws in
      for session in try reader.sessions() {
        try lines.forEach(of: session) { line in
          if let redacted = redacted(line, &tokens) { try importer.take(redacted) }
        }
      }
    }
    return Summary(
      sessions: importer.summary.sessions, events: importer.summary.events, tokens: tokens.count,
      strangers: tokens.strangers)
  }
}

extension HistoryRedaction {
  /// The line without names; none if nothing is left.
  private func redacted(_ line: TransferLine, _ tokens: inout RedactionTokens) -> TransferLine? {
    if line.type == .finding { return nil }
    var line = line
    for (key, role) in Self.roles {
      if case .text(let text) = line[key] { line[key] = .text(tokens.token(role, text)) }
    }
    switch line.type {
    case .session:
      line[.uuid] = .text(uuid())
      line[.pid] = .integer(0)
      if case .text(let os) = line[.os], !options.keepsOS {
        line[.os] = .text(tokens.token("os", os))
      }
    case .controller: redact(controller: &line, &tokens)
    case .loss:
      if case .text(let text) = line[.reason], !Self.isOwn(reason: text) {
        line[.reason] = .text(tokens.token("reason", text))
      }
    default: redact(payload: &line, &tokens)
    }
    return line
  }

  private static let roles: [(TransferKey, String)] = [
    (.app, "app"), (.appVersion, "version"), (.controller, "controller"), (.key, "controller"),
    (.state, "state"), (.asked, "state"), (.refusedFrom, "state"), (.refusedNeeds, "condition"),
    (.site, "file"), (.note, "mark"),
  ]

  /// Whether our recorder gives this reason; an imported history may hold anything.
  private static func isOwn(reason: String) -> Bool {
    reason.split(separator: " or ").allSatisfy { LossReason(rawValue: String($0)) != nil }
  }

  private func redact(controller line: inout TransferLine, _ tokens: inout RedactionTokens) {
    if case .text(let policy) = line[.policy], !options.policies.contains(policy) {
      line[.policy] = .text(tokens.token("policy", policy))
    }
    // A snapshot that cannot be read may contain names, and no replay can use it.
    if line[.snapshotText] != .absent { line[.snapshotText] = .text("{}") }
    if case .json(let text) = line[.snapshot], var snapshot = SnapshotRecord(text) {
      snapshot.mapNames(
        state: { tokens.token("state", $0) }, condition: { tokens.token("condition", $0) })
      line[.snapshot] = .json(snapshot.text)
    }
  }

  private func redact(payload line: inout TransferLine, _ tokens: inout RedactionTokens) {
    guard let payload = (try? line.payload()) ?? nil, payload != EventDetail.payloadLeftOut else {
      return
    }
    line[.payloadBase64] = .absent
    line[.payload] = .text(tokens.payloadToken(payload))
  }
}

/// The tokens that replace names and payloads.
struct RedactionTokens {
  private struct Name: Hashable {
    let role: String
    let text: ExactText
  }

  private struct Digest: Hashable {
    let one: UInt64
    let other: Int
  }

  private var names: [Name: Int] = [:]
  private var counts: [String: Int] = [:]
  private let kept: Set<ExactText>
  private var met: Set<ExactText> = []
  // By hash: there may be very many payloads, and long ones. One of the two hashes differs from run
  // to run.
  private var payloads: [Digest: Int] = [:]

  /// - Parameter names: the names that stay.
  init(keeping names: Set<String>) {
    kept = Set(names.map { ExactText(text: $0) })
  }

  /// The number of tokens.
  var count: Int { names.count + payloads.count }

  /// Names that were to stay and never appeared, in order.
  var strangers: [String] { kept.subtracting(met).map(\.text).sorted() }

  /// The token of a name in a role; an empty text stays empty.
  mutating func token(_ role: String, _ text: String) -> String {
    if text.isEmpty { return text }
    let key = ExactText(text: text)
    if kept.contains(key) {
      met.insert(key)
      return text
    }
    let name = Name(role: role, text: key)
    if let known = names[name] { return "\(role)-\(known)" }
    counts[role, default: 0] += 1
    names[name] = counts[role, default: 0]
    return "\(role)-\(counts[role, default: 0])"
  }

  /// The token of a payload.
  mutating func payloadToken(_ payload: [UInt8]) -> String {
    var hasher = Hasher()
    payload.withUnsafeBytes { hasher.combine(bytes: $0) }
    let digest = Digest(
      one: payload.withUnsafeBytes(ContentHash.bytes), other: hasher.finalize())
    let number = payloads[digest] ?? payloads.count + 1
    payloads[digest] = number
    return "payload-\(number)"
  }
}

extension SnapshotRecord {
  /// Replaces the names of states and of what routes need.
  fileprivate mutating func mapNames(
    state: (String) -> String, condition: (String) -> String
  ) {
    for place in standing.indices { standing[place].state = state(standing[place].state) }
    for place in waiting.indices { waiting[place].state = state(waiting[place].state) }
    states = states?.map(state)
    routes = routes?.map { route in
      var route = route
      route.from = route.from.map(state)
      route.to = state(route.to)
      route.asked = route.asked.map(state)
      route.guarding = route.guarding.map(condition)
      route.needs = route.needs.map(condition)
      return route
    }
  }
}
