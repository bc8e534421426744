/// Completions for bash, from 3.2 on; the package `bash-completion` is not needed.
struct BashCompletions {
  let all: Completions

  var script: String {
    """
    # Completions of \(all.tool) for bash; to have them: source <(\(all.tool) completions bash)
    \(all.function)() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= words= files= i
      # The shell takes '=' for a word of its own.
      if [ "$cur" = "=" ]; then
        cur=
      elif [ "$prev" = "=" ]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
      fi
      for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
          -*) ;;
          *) verb=${COMP_WORDS[i]}; break ;;
        esac
      done
      case $verb in
        '') words=\(top.quotedForShell) ;;
    \(all.verbs.map(branch).joined())  esac
      COMPREPLY=()
      local IFS=$' \\t\\n'
      [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
      if [ -n "$files" ]; then
        IFS=$'\\n'
        compopt -o filenames 2>/dev/null || :
        COMPREPLY+=($(compgen -f -- "$cur"))
      fi
    }
    complete -F \(all.function) \(all.tool)

    """
  }

  private var top: String {
    (all.verbs.map(\.name) + ["--help", "--version"]).joined(separator: " ")
  }

  private func branch(_ verb: VerbSpec) -> String {
    let valued = verb.shownOptions.filter { $0.value != nil }
    let values = valued.map { option in
      let action =
        !all.choices(option).isEmpty
        ? "words=" + all.choices(option).joined(separator: " ").quotedForShell
        : option.isPath ? "files=1" : ":"
      return "        \(option.spellings.joined(separator: "|"))) \(action) ;;\n"
    }
    let options = verb.shownOptions.flatMap(\.spellings).joined(separator: " ").quotedForShell
    let words = all.words(verb)
    let rest = [
      words.isEmpty ? nil : "words=" + words.joined(separator: " ").quotedForShell,
      words.isEmpty || all.takesFiles(verb) ? "files=1" : nil,
    ].compactMap(\.self).joined(separator: "; ")
    return "    \(verb.name))\n      case $prev in\n" + values.joined() + """
              *)
                case $cur in
                  -*) words=\(options) ;;
                  *) \(rest) ;;
                esac
                ;;
            esac
            ;;

      """
  }
}
