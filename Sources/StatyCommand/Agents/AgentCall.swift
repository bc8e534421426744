import StatyText

/// One call of a tool: its command line is run, and what that prints is the answer.
struct AgentCall {
  let tool: AgentTool
  let run: ToolRun
  private let out = AnswerSink()
  private let err = AnswerSink()

  /// - Parameter run: how the tool runs; its console is not used.
  init(_ tool: AgentTool, _ run: ToolRun) {
    self.tool = tool
    let console = Console(out: out, err: err, width: 100)
    self.run = ToolRun(
      console: console, isQuiet: false, style: Style(isOn: false), tool: run.tool,
      registry: run.registry, executable: run.executable,
      progress: ProgressLine(console, isQuiet: true))
  }

  /// The result of the call, as the protocol wants it.
  func result(_ arguments: JSONValue, _ folder: AgentFolder) -> JSONValue {
    let status = execute(arguments, folder)
    var texts: [String] = []
    var data: JSONValue?
    if tool.isText, out.text.utf8.count <= Self.mostBytes {
      if !out.text.isEmpty { texts.append(out.text) }
    } else if !tool.isText, let value = try? JSONReader.value(out.text.utf8),
      let (fitting, most) = value.fitting(Self.mostBytes)
    {
      let object = if case .list = fitting { JSONValue.object(["rows": fitting]) } else { fitting }
      texts.append(object.line)
      data = object
      if let most {
        texts.append(
          "Note: this is shortened: lists to \(most) elements, and long texts. Ask for less: for one "
            + "session, controller or rule, or with 'query' and LIMIT.")
      }
    } else if out.text.utf8.count > Self.mostBytes {
      run.report(.tooLong(Self.mostBytes))
    }
    let isError = status.rawValue >= ExitCode.usage.rawValue || texts.isEmpty
    // What is said besides the data: notes, and errors with what to do now.
    var notes = err.text.shortened(to: Self.mostLetters)
    while notes.last?.isNewline == true { notes.removeLast() }
    if !notes.isEmpty { texts.insert(notes, at: isError ? 0 : texts.count) }
    let content = texts.map { JSONValue.object(["type": .text("text"), "text": .text($0)]) }
    let structured = data.map { [(key: "structuredContent", value: $0)] } ?? []
    return .object(
      [(key: "content", value: .list(content))] + structured
        + [(key: "isError", value: .bool(isError))])
  }

  /// An answer is read by a model, for which much text is expensive.
  private static let mostBytes = 30_000
  private static let mostLetters = 4_000

  private func execute(_ arguments: JSONValue, _ folder: AgentFolder) -> ExitCode {
    do {
      let words = try tool.commandLine(arguments, folder) { run.note($0) }
      guard case .verb(let verb, _, _) = try Invocation(words) else { return .bug }
      return try verb.run(run)
    } catch {
      let failure =
        switch error {
        case let usage as UsageError: Failure(status: .usage, message: usage.message)
        case is SinkError: Failure.tooLong(AnswerSink.most)
        default: Failure(error, doing: "Calling '\(tool.name)'")
        }
      run.report(failure)
      return failure.status
    }
  }
}

extension Failure {
  fileprivate static func tooLong(_ most: Int) -> Failure {
    Failure(
      status: .cannotWrite, message: "The answer has more than \(most) bytes.",
      advice: "Ask for less: for one session, controller or rule, or about what 'minimize' leaves.")
  }
}

/// Keeps what a command prints, up to a limit.
private final class AnswerSink: TextSink {
  private(set) var text = ""
  static let most = 8_000_000

  func write(_ text: String) throws(SinkError) {
    guard self.text.utf8.count + text.utf8.count <= Self.most else {
      throw .failed(reason: "it is too long")
    }
    self.text += text
  }

  func flush() throws(SinkError) {}
}

extension JSONValue {
  /// The same value, with long lists and texts shortened until it has at most so many bytes, and
  /// how many elements lists may have then, if anything is shortened; none if that is not enough.
  ///
  /// Its shape stays the documented one, so that it is still valid.
  func fitting(_ bytes: Int) -> (JSONValue, most: Int?)? {
    if line.utf8.count <= bytes { return (self, nil) }
    for most in [1_000, 300, 100, 30, 10, 3, 1] {
      let shortened = shortened(to: most)
      if shortened.line.utf8.count <= bytes { return (shortened, most) }
    }
    return nil
  }

  private func shortened(to most: Int) -> JSONValue {
    switch self {
    case .text(let text): .text(text.shortened(to: max(100, most * 10)))
    case .list(let values): .list(values.prefix(most).map { $0.shortened(to: most) })
    case .object(let members):
      .object(members.map { (key: $0.key, value: $0.value.shortened(to: most)) })
    default: self
    }
  }
}
