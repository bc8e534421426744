import StatyReplay

/// The changes of a what-if replay that the command line asks for.
///
/// Flags with changes select what-if by themselves, because a verification with changes could only
/// diverge.
struct WhatIfFlags {
  static let options: [OptionSpec] = [
    .flag("what-if", "Play the session again instead, and check that against the rules."),
    .valued("skip", "seq", "What if this input did not happen.").repeatable,
    .valued("delay", "seq=time", "What if this input came later, as in '12=50ms'.").repeatable,
    .valued("finish", "seq", "What if this report came with 'finished: true'.").repeatable,
    .valued(
      "insert", "edit", "What if a state was requested, as in 'after 12: alert'."
    ).repeatable,
    .valued("edits", "file", "Take such changes from a file, one a line.").input,
    .valued(
      "assume", "time", in: 0...Edit.longest,
      "How long a state takes to enter or exit if it was not recorded. Default: 300ms."),
  ]

  private var flags = WhatIfReplay.Changes()
  private let path: String?

  /// `nil` if the command line asks for no what-if replay.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let edits = ["skip", "delay", "finish", "insert"]
    let names = ["what-if"] + edits + ["edits", "assume"]
    guard names.contains(where: arguments.has) else { return nil }
    path = arguments.text("edits")
    flags.assumed = arguments.duration("assume")
    for name in edits {
      for text in arguments.texts(name) {
        flags.edits.append(try Self.edit(name, text, arguments))
        flags.words.append("--\(name)=\(text)")
      }
    }
    for name in ["edits", "assume"] {
      if let text = arguments.text(name) { flags.words.append("--\(name)=\(text)") }
    }
  }

  private static func edit(
    _ name: String, _ text: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> Edit {
    do {
      switch name {
      case "skip": return try .skip(text)
      case "delay": return try .delay(text)
      case "finish": return try .finish(text)
      default: return try .insert(text)
      }
    } catch .noDelay {
      throw arguments.misuse(
        "'--delay \(text)' is not an event and a time. Write '--delay 12=50ms'.")
    } catch .noInsertion {
      throw arguments.misuse(
        "'--insert \(text)' is not a place and a state. Write '--insert \"after 12: alert\"'.")
    } catch {
      throw arguments.misuse("'--\(name)': \(error)")
    }
  }

  /// All changes, including those of the file.
  func changes() throws(Failure) -> WhatIfReplay.Changes {
    guard let path else { return flags }
    var changes = flags
    let text = try InputText.whole(path)
    do {
      changes.edits += try Edit.script(text)
      return changes
    } catch {
      throw Failure(error, doing: "Reading the edits '\(path.visible)'")
    }
  }
}
