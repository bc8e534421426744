import Staty
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
    var copier = SessionCopier(
      writer,
      Redacting(options: options, uuid: uuid, tokens: RedactionTokens(keeping: options.names)))
    var source = try CopySource(reader)
    for session in try reader.sessions() {
      try copier.copy(session, of: &source, as: session.id)
    }
    let tokens = copier.filter.tokens
    return Summary(
      sessions: copier.sessions, events: copier.events, tokens: tokens.count,
      strangers: tokens.strangers)
  }
}

/// Replaces what a session says of the app and its user.
private struct Redacting: SessionFilter {
  let options: HistoryRedaction.Options
  let uuid: () -> String
  var tokens: RedactionTokens
  /// The new UUIDs of sessions: one that continues another names it.
  var uuids: [String: String] = [:]

  private mutating func new(_ old: String) -> String {
    if let known = uuids[old] { return known }
    let new = uuid()
    uuids[old] = new
    return new
  }

  mutating func change(_ opening: inout SessionOpening) {
    opening.uuid = new(opening.uuid)
    opening.run = opening.run.map { new($0) }
    opening.pid = 0
    opening.app = tokens.token("app", opening.app)
    opening.appVersion = tokens.token("version", opening.appVersion)
    if !options.keepsOS { opening.os = tokens.token("os", opening.os) }
  }

  mutating func change(_ controller: inout ControllerRecord) {
    controller.name = tokens.token("controller", controller.name)
    if !options.policies.contains(controller.policy),
      !ControllerRecord.wordsOfNoPolicy.contains(controller.policy)
    {
      controller.policy = tokens.token("policy", controller.policy)
    }
    // A snapshot that cannot be read may contain names, and says nothing of the beginning: nor does an empty text.
    guard var snapshot = controller.opening else { return controller.snapshot = "" }
    if controller.snapshot == "{}" { return }
    snapshot.mapNames(
      state: { tokens.token("state", $0) }, condition: { tokens.token("condition", $0) })
    controller.snapshot = snapshot.text
  }

  mutating func change(_ loss: inout LossRecord) {
    // Only our recorder's reasons say nothing of the app; an imported history may hold anything.
    let isOwn = loss.reason.split(separator: " or ").allSatisfy {
      LossReason(rawValue: String($0)) != nil
    }
    if !isOwn { loss.reason = tokens.token("reason", loss.reason) }
  }

  mutating func name(_ text: String, _ role: NameRole) -> String {
    tokens.token(role.rawValue, text)
  }

  mutating func change(_ detail: inout EventDetail) {
    detail.note = detail.note.map { tokens.token("mark", $0) }
    guard let payload = detail.payload, payload != EventDetail.payloadLeftOut else { return }
    // The check tells of messages that were cut.
    let mark = payload.starts(with: MessageText.cutMark.utf8) ? MessageText.cutMark : ""
    detail.payload = Array((mark + tokens.payloadToken(payload)).utf8)
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
  ///
  /// A track that shows `none` shows nothing, and rules decide by that.
  mutating func token(_ role: String, _ text: String) -> String {
    if text.isEmpty { return text }
    let key = ExactText(text: text)
    if kept.contains(key) {
      met.insert(key)
      return text
    }
    if role == NameRole.state.rawValue, text == "none" { return text }
    let name = Name(role: role, text: key)
    if let known = names[name] { return "\(role)-\(known)" }
    var number = counts[role, default: 0]
    // A name that stays may look like a token.
    repeat { number += 1 } while kept.contains(ExactText(text: "\(role)-\(number)"))
    (counts[role], names[name]) = (number, number)
    return "\(role)-\(number)"
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
    transient = transient?.map(state)
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
