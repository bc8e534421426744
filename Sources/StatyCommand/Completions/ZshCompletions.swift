/// Completions for zsh.
struct ZshCompletions {
  let all: Completions

  var script: String {
    """
    #compdef \(all.tool)
    # Completions of \(all.tool) for zsh; to have them: source <(\(all.tool) completions zsh)
    \(all.function)() {
      local state line
      _arguments -C '1: :->verb' '*:: :->rest'
      case $state in
        verb)
          local -a verbs
          verbs=(
    \(all.verbs.map { "        \(Self.described($0.name, $0.abstract))\n" }.joined())      )
          _describe subcommand verbs
          ;;
        rest)
          case $words[1] in
    \(all.verbs.map(branch).joined())      esac
          ;;
      esac
    }
    if [ "$funcstack[1]" = \(all.function) ]; then
      \(all.function) "$@"
    else
      compdef \(all.function) \(all.tool)
    fi

    """
  }

  private static func described(_ name: String, _ text: String) -> String {
    "\(name):\(escaped(text, ":"))".quotedForShell
  }

  private func branch(_ verb: VerbSpec) -> String {
    let words = all.words(verb)
    let listed = "(\(words.joined(separator: " ")))"
    let rest =
      words.isEmpty
      ? "'*:file:_files'"
      : all.takesFiles(verb)
        ? "'*:word:_alternative \"words:word:\(listed)\" \"files:file:_files\"'"
        : "'*:word:\(listed)'"
    let lines = verb.shownOptions.flatMap(lines) + [rest]
    return "        \(verb.name))\n          _arguments -s \\\n            "
      + lines.joined(separator: " \\\n            ") + "\n          ;;\n"
  }

  /// An option, once for each way in which it is written.
  private func lines(_ option: OptionSpec) -> [String] {
    let others = option.isRepeatable ? "*" : "(" + option.spellings.joined(separator: " ") + ")"
    return option.spellings.map { spelling in
      let isLong = spelling.hasPrefix("--")
      let sign = option.value == nil ? "" : isLong ? "=" : "+"
      return "\(others)\(spelling)\(sign)[\(Self.escaped(option.help, "[]:"))]\(value(option))"
        .quotedForShell
    }
  }

  private func value(_ option: OptionSpec) -> String {
    guard let value = option.value else { return "" }
    let action =
      !all.choices(option).isEmpty
      ? "(\(all.choices(option).joined(separator: " ")))" : option.isPath ? "_files" : " "
    return ":\(Self.escaped(value, "[]:")):\(action)"
  }

  private static func escaped(_ text: String, _ signs: String) -> String {
    text.reduce(into: "") { $0 += signs.contains($1) ? "\\\($1)" : "\($1)" }
  }
}
