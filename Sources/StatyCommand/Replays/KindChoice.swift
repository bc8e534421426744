import StatyHistory
import StatyReplay

/// The kinds of controller that replace the recorded ones.
struct KindChoice {
  /// The kind for all controllers that ``some`` does not list; none for the recorded one.
  let all: String?
  /// The kinds for single controllers, by the names under which they are recorded.
  let some: [(controller: String, kind: String)]

  init() { (all, some) = (nil, []) }

  /// Parses `--with queue` and `--with checkout=queue`.
  ///
  /// - Parameter known: the kinds that can be made.
  init(
    _ arguments: ParsedArguments, _ choice: SessionChoice, known: [String]
  ) throws(UsageError) {
    var all: String?
    var some: [(controller: String, kind: String)] = []
    for text in arguments.texts("with") {
      // The name and the kind may contain an equals sign, too.
      let sign = known.contains(text) ? nil : text.lastIndex(of: "=")
      let kind = sign.map { String(text[text.index(after: $0)...]) } ?? text
      try Self.check(kind, known, arguments)
      guard let sign else {
        guard all == nil else {
          throw arguments.misuse(
            "'--with \(all ?? "")' and '--with \(kind)' are both for all controllers. Say for which "
              + "each is, as in '--with checkout=\(kind)'.")
        }
        all = kind
        continue
      }
      let name = String(text[..<sign])
      if let other = some.first(where: { $0.controller == name }) {
        throw arguments.misuse(
          "The controller '\(name)' can be of one kind, '\(other.kind)' or '\(kind)'.")
      }
      guard choice.controllers.isEmpty || choice.controllers.contains(name) else {
        throw arguments.misuse(
          "'--with \(text)' is about a controller that '--controller' leaves out.")
      }
      some.append((name, kind))
    }
    self.all = all
    self.some = some
  }

  private static func check(
    _ kind: String, _ known: [String], _ arguments: ParsedArguments
  ) throws(UsageError) {
    guard !known.contains(kind) else { return }
    throw arguments.misuse(
      "There is no controller of the kind '\(kind)'." + Spelling.question(kind, among: known)
        + " There are \(known.kindList).")
  }
}

extension KindChoice {
  /// Whether every controller stays what it is.
  var isEmpty: Bool { all == nil && some.isEmpty }

  /// The names of the controllers with a kind of their own in ``some``.
  var controllers: [String] { some.map(\.controller) }

  /// The same as words of a command line.
  var words: [String] { texts.map { "--with=\($0)" } }

  /// The same as the values of `--with`.
  var texts: [String] { [all].compactMap(\.self) + some.map { "\($0.controller)=\($0.kind)" } }

  /// The same as one text, for other programs; none if no controller is replaced.
  var value: String? { isEmpty ? nil : texts.joined(separator: ", ") }

  /// The kinds in words; none if no controller is replaced.
  var text: String? {
    let own = some.map { "'\($0.kind.visible)' for \($0.controller.visible)" }
    let parts = [all.map { "'\($0.visible)'" }].compactMap(\.self) + own
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The same by the numbers that these controllers have in their file.
  func replacement(of controllers: [ControllerRecord]) -> Replacement {
    var replacement = Replacement(all: all)
    for controller in controllers {
      guard let kind = some.first(where: { $0.controller == controller.name })?.kind else {
        continue
      }
      replacement.some[controller.id] = kind
    }
    return replacement
  }
}
