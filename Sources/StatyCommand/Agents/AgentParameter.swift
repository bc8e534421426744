/// One thing that an agent may give to a tool: a word or an option of its command line.
struct AgentParameter {
  let name: String
  /// None if it is a word.
  let option: OptionSpec?
  let isRequired: Bool
  private let help: String

  /// - Parameter isFileOptional: whether a file may be missing that the command line needs.
  init(_ argument: ArgumentSpec, isFileOptional: Bool) {
    (name, option) = (argument.name, nil)
    let isFile = name == "file"
    isRequired = !argument.isOptional && !(isFile && isFileOptional)
    help = isFile ? "The path of a recording, as 'sessions' prints it." : argument.help
  }

  /// - Parameter usual: its value if it is not given, in place of that of the command line.
  init(_ option: OptionSpec, usual: String?) {
    (name, self.option, isRequired) = (option.long, option, false)
    if let usual, let end = option.help.firstRange(of: " Default:")?.lowerBound {
      help = option.help[..<end] + " Default: \(usual)."
    } else {
      help = option.help
    }
  }

  /// Whether it is the path of a recording.
  var isFile: Bool { option == nil && name == "file" }
  private var isSwitch: Bool { option.map { $0.value == nil } ?? false }
  private var isNumber: Bool { ["n", "seq"].contains(option?.value ?? "") }
  private var isRepeatable: Bool { option?.isRepeatable ?? false }

  /// Its JSON schema.
  var schema: JSONValue {
    var one: [(key: String, value: JSONValue)] = [
      ("type", .text(isSwitch ? "boolean" : isNumber ? "integer" : "string"))
    ]
    if let choices = option?.choices, !choices.isEmpty {
      one.append(("enum", .list(choices.map { .text($0) })))
    }
    let type = isRepeatable ? [("type", .text("array")), ("items", .object(one))] : one
    return .object(type + [("description", .text(help))])
  }

  /// What its value has to be, for a message.
  var wanted: String {
    if isSwitch { return "true or false" }
    let one = isNumber ? "a whole number" : "a text of at most \(mostBytes) bytes"
    return isRepeatable ? "a list, each \(one)" : one
  }

  /// Its value as words of a command line; none if it has the wrong type.
  func texts(_ value: JSONValue) -> [String]? {
    switch value {
    case .bool(let isOn): return isSwitch ? isOn ? [""] : [] : nil
    case .list(let values):
      let texts = values.compactMap(text)
      return isRepeatable && texts.count == values.count ? texts : nil
    default: return isSwitch ? nil : text(value).map { [$0] }
    }
  }

  /// Similar names are searched for with a wrong one, which takes long for a long one.
  private var mostBytes: Int { name == "sql" ? 100_000 : 4_096 }

  /// No command line has a zero byte in it, and SQL from `-` would be read from the requests of the client.
  private func text(_ value: JSONValue) -> String? {
    switch value {
    case .text(let text):
      text.utf8.contains(0) || text == "-" && name == "sql" || text.utf8.count > mostBytes
        ? nil : text
    case .integer, .number: value.line
    default: nil
    }
  }
}
