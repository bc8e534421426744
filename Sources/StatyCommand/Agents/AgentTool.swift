import StatyText

/// A tool that agents can call: a subcommand with some fixed words, and those of its arguments that
/// an agent may give.
struct AgentTool: Sendable {
  let name: String
  let verb: any Verb.Type
  /// What it does, for the agent that chooses a tool.
  let what: String
  /// Options that are always given.
  var words = ["--json"]
  /// The options that may be given, by their names on the command line.
  var options: [String] = []
  /// The values of options that are not given.
  var usual: [String: String] = [:]
  var files = Files.one
  /// Whether the answer is a text, and not JSON.
  var isText = false

  /// Which recordings a call reads.
  enum Files {
    case none, one
    /// All below the folder if none is named.
    case oneOrAll
    /// One, and it makes another that can be asked about.
    case oneAndKeepsResult
  }

  /// In the order in which an agent needs them.
  static let all = [
    AgentTool(
      name: "sessions", verb: SessionsVerb.self,
      what:
        "List the launches of an app in a recording, and how each ended. Without 'file', those of "
        + "every recording below the folder. Begin with this.",
      options: ["session"], files: .oneOrAll),
    AgentTool(
      name: "check", verb: CheckVerb.self,
      what:
        "Find the ordering rules that a recording breaks. Each finding has its rule ('code'), event "
        + "('seq'), visit, a sentence and the events that led to it.",
      options: ["session", "controller", "without"]),
    AgentTool(
      name: "why", verb: WhyVerb.self,
      what:
        "Explain the first finding, or an event, a rule or a visit: what led to it, and the nearest "
        + "order in which it does not happen.",
      options: ["session", "controller", "time"]),
    AgentTool(
      name: "explore", verb: ExploreVerb.self,
      what: "Play the same input in other orders: how else it can end, what decides between the "
        + "outcomes, and the shortest order that breaks a rule. It takes its time for each session: name one.",
      options: [
        "session", "controller", "until", "with", "rule", "never", "deviations", "each", "time",
      ],
      usual: ["time": "20s"]),
    AgentTool(
      name: "minimize", verb: MinimizeVerb.self,
      what:
        "Reduce a recording to the fewest requests that break the same rule. The answer's 'output' is "
        + "the path of the result: give it as 'file' to 'test' or another tool.",
      options: ["session", "controller", "with", "rule", "finding", "time"],
      usual: ["time": "20s"], files: .oneAndKeepsResult),
    AgentTool(
      name: "test", verb: TestVerb.self,
      what:
        "Return the source of a Swift test that fails until the bug is fixed. Nothing is written: put "
        + "it into the app's tests yourself.",
      words: [],
      options: ["session", "controller", "rule", "finding", "with", "registry", "import"],
      isText: true),
    AgentTool(
      name: "replay", verb: ReplayVerb.self,
      what: "Tell a new controller the same input, and report the first decision that differs.",
      options: ["session", "controller", "until", "with", "once"]),
    AgentTool(
      name: "what-if", verb: ReplayVerb.self,
      what:
        "Play a recording with changes, and check which rules are broken then. Use it to try a cause.",
      words: ["--what-if", "--json"],
      options: [
        "session", "controller", "until", "with", "skip", "delay", "finish", "insert", "assume",
      ]),
    AgentTool(
      name: "query", verb: QueryVerb.self,
      what:
        "Run one SELECT over the views of a recording, which 'views' lists. At most 200 rows: use "
        + "LIMIT and OFFSET for more.",
      words: ["--json", "--limit=200", "--timeout=20s"], options: ["param"]),
    AgentTool(
      name: "views", verb: QueryVerb.self,
      what: "List the views for 'query', and what each of their columns says.",
      words: ["--views", "--json"], files: .none),
  ]
}

extension AgentTool {
  /// What an agent may give: the words of the command line, then the options.
  private var parameters: [AgentParameter] {
    let words = files == .none ? [] : verb.spec.arguments
    return words.map { AgentParameter($0, isFileOptional: files == .oneOrAll) }
      + options.map { name in
        AgentParameter(verb.spec.options.first { $0.long == name }!, usual: usual[name])
      }
  }

  /// How the protocol lists it.
  var listing: JSONValue {
    let parameters = parameters
    return .object([
      "name": .text(name), "description": .text(what),
      "inputSchema": .object([
        "type": .text("object"),
        "properties": .object(parameters.map { (key: $0.name, value: $0.schema) }),
        "required": .list(parameters.filter(\.isRequired).map { .text($0.name) }),
        "additionalProperties": .bool(false),
      ]),
      "annotations": .object(["readOnlyHint": .bool(true), "openWorldHint": .bool(false)]),
    ])
  }

  /// The command line that a call stands for.
  ///
  /// - Parameter note: is told what is left out of it.
  func commandLine(
    _ given: JSONValue, _ folder: AgentFolder, note: (String) -> Void
  ) throws(Failure) -> [String] {
    let parameters = parameters
    func wrong(_ message: String) -> Failure {
      let names = parameters.map { "'\($0.name)'" }.joined(separator: ", ")
      return Failure(
        status: .usage, message: message,
        advice: names.isEmpty ? "It takes no arguments." : "It takes \(names).")
    }
    guard case .object(let members) = given else {
      throw wrong("The arguments of '\(name)' are no object.")
    }
    for (key, _) in members where !parameters.contains(where: { $0.name == key }) {
      let key = key.shortened(to: 40)
      let question = Spelling.question(key, among: parameters.map(\.name))
      throw wrong("'\(name)' has no argument '\(key)'." + question)
    }
    var line = [verb.spec.name] + words
    var last: [String] = []
    for parameter in parameters {
      // Some clients send null for what is not given.
      let value = given[parameter.name].flatMap { $0 == .null ? nil : $0 }
      guard let value = value ?? usual[parameter.name].map({ .text($0) }) else {
        if parameter.isRequired { throw wrong("'\(name)' needs '\(parameter.name)'.") }
        continue
      }
      guard let texts = parameter.texts(value) else {
        throw wrong("'\(parameter.name)' has to be \(parameter.wanted).")
      }
      if let option = parameter.option {
        line += texts.map { option.value == nil ? "--\(option.long)" : "--\(option.long)=\($0)" }
      } else {
        last += parameter.isFile ? [try folder.file(texts[0])] : texts
      }
    }
    if files == .oneOrAll, last.isEmpty { last = try folder.recordings(note: note) }
    if files == .oneAndKeepsResult { line.append("--output=\(try folder.nextKept())") }
    return line + ["--"] + last
  }
}
