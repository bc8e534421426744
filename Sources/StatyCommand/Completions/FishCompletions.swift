/// Completions for fish.
struct FishCompletions {
  let all: Completions

  var script: String {
    "# Completions of \(all.tool) for fish; to have them: \(all.tool) completions fish | source\n"
      + all.verbs.map { verb in
        "complete -c \(all.tool) -n __fish_use_subcommand -f -a \(verb.name) "
          + "-d \(Self.quoted(verb.abstract))\n"
      }.joined() + all.verbs.map(lines).joined()
  }

  private func lines(_ verb: VerbSpec) -> String {
    let beginning =
      "complete -c \(all.tool) -n \(Self.quoted("__fish_seen_subcommand_from \(verb.name)"))"
    let words = all.words(verb)
    let rest =
      words.isEmpty
      ? ""
      : beginning + (all.takesFiles(verb) ? "" : " -f")
        + " -a \(Self.quoted(words.joined(separator: " ")))\n"
    return rest
      + verb.shownOptions.map { option in
        beginning + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.long)"
          + value(option) + " -d \(Self.quoted(option.help))\n"
      }.joined()
  }

  private func value(_ option: OptionSpec) -> String {
    if option.value == nil { return "" }
    if !all.choices(option).isEmpty {
      return " -x -a \(Self.quoted(all.choices(option).joined(separator: " ")))"
    }
    return option.isPath ? " -r -F" : " -x"
  }

  /// Fish knows `\\'` between quotes, which other shells do not.
  private static func quoted(_ text: String) -> String {
    "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : "\($1)" } + "'"
  }
}
