/// The shells that have completions.
enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// What may follow the words of a command line, by the descriptions that the parser and the help
/// use.
///
/// The script of a shell asks the tool at each request, so that all shells offer the same.
struct Completions {
  let tool: String
  /// The kinds of controller that can be made.
  let kinds: [String]

  private typealias Candidate = (word: String, text: String)

  /// The answer to a script: whether files may follow, then a candidate on each line, with its
  /// description after a tab.
  ///
  /// - Parameter words: the words after the tool's name, up to the one that is being typed. Bash
  ///   treats `=` as a word.
  func answer(to words: [String], for shell: Shell) -> String {
    var words = words
    var typed = words.popLast() ?? ""
    var begun = ""
    if typed == "=" {
      typed = ""
    } else if words.last == "=" {
      words.removeLast()
    } else if typed.hasPrefix("--"), let sign = typed.firstIndex(of: "=") {
      words.append(String(typed[..<sign]))
      begun = String(typed[...sign])
      typed = String(typed[typed.index(after: sign)...])
    }
    let (candidates, takesFiles) = following(words, isOption: typed.hasPrefix("-"))
    let lines = candidates.filter { $0.word.hasPrefix(typed) }.map {
      begun + $0.word + (shell == .bash || $0.text.isEmpty ? "" : "\t" + $0.text)
    }
    return ([takesFiles ? "files" : "words"] + lines).map { $0 + "\n" }.joined()
  }

  private func following(
    _ words: [String], isOption: Bool
  ) -> (candidates: [Candidate], takesFiles: Bool) {
    let verbs = VerbTable.specs.map { ($0.name, $0.abstract) }
    guard let place = words.firstIndex(where: { !$0.hasPrefix("-") }),
      let verb = VerbTable.specs.first(where: { $0.name == words[place] })
    else { return (verbs + [OptionSpec.help, .version].flatMap(Self.candidates), false) }
    let options = verb.allOptions.filter { !$0.isHidden }
    var given = 0
    var valued: OptionSpec?
    for word in words[place...].dropFirst() {
      let option = options.first { $0.value != nil && $0.spellings.contains(word) }
      if valued == nil, option == nil, !word.hasPrefix("-") { given += 1 }
      valued = valued == nil ? option : nil
    }
    if let valued {
      let isKind = valued.value == "kind" && valued.choices.isEmpty
      return ((isKind ? kinds : valued.choices).map { ($0, "") }, valued.isPath)
    }
    if isOption { return (options.flatMap(Self.candidates), false) }
    if verb.name == "help" { return (given == 0 ? verbs : [], false) }
    let next = verb.next(after: given)
    return (next.flatMap(\.choices).map { ($0, "") }, next.contains { $0.choices.isEmpty })
  }

  private static func candidates(_ option: OptionSpec) -> [Candidate] {
    option.spellings.map { ($0, option.help) }
  }

  /// The script for a shell.
  func script(_ shell: Shell) -> String {
    // A name for the shell's function, whatever the tool is called.
    let name = "_" + String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return switch shell {
    case .bash: bash(name)
    case .zsh: zsh(name)
    case .fish: fish(name)
    }
  }

  /// For bash from 3.2 on; the package `bash-completion` is not needed.
  private func bash(_ name: String) -> String {
    """
    # Completions of \(tool) for bash; to have them: source <(\(tool) completions bash)
    \(name)() {
      local IFS=$'\\n' cur=${COMP_WORDS[COMP_CWORD]}
      [ "$cur" != "=" ] || cur=
      COMPREPLY=($(\(tool) completions bash -- "${COMP_WORDS[@]:1:COMP_CWORD}"))
      local first=${COMPREPLY[0]}
      COMPREPLY=("${COMPREPLY[@]:1}")
      if [ "$first" = files ]; then
        compopt -o filenames 2>/dev/null || :
        COMPREPLY+=($(compgen -f -- "$cur"))
      fi
    }
    complete -F \(name) \(tool)

    """
  }

  private func zsh(_ name: String) -> String {
    """
    #compdef \(tool)
    # Completions of \(tool) for zsh; to have them: source <(\(tool) completions zsh)
    \(name)() {
      local line ret=1
      local -a said found shown
      said=("${(@f)$(\(tool) completions zsh -- "${(@Q)words[2,CURRENT]}")}")
      for line in "${(@)said[2,-1]}"; do
        found+=("${line%%$'\\t'*}")
        shown+=("${line/$'\\t'/  -- }")
      done
      (( $#found )) && compadd -l -d shown -a found && ret=0
      [[ $said[1] != files ]] || { compset -P '-*='; _files && ret=0 }
      return ret
    }
    if [ "$funcstack[1]" = \(name) ]; then
      \(name) "$@"
    else
      compdef \(name) \(tool)
    fi

    """
  }

  private func fish(_ name: String) -> String {
    """
    # Completions of \(tool) for fish; to have them: \(tool) completions fish | source
    function \(name)
      set -l words (commandline -opc)
      set -l now (commandline -ct)
      set -l said (\(tool) completions fish -- $words[2..-1] "$now")
      printf '%s\\n' $said[2..-1]
      if test "$said[1]" = files
        set -l begun (string match -r -- '^--[^=]*=' "$now")
        __fish_complete_path (string replace -- "$begun" '' "$now") | string replace -r -- '^' "$begun"
      end
    end
    complete -c \(tool) -f -a '(\(name))'

    """
  }
}

extension VerbSpec {
  /// The arguments of which one may follow so many; one that may be left out is followed by the
  /// next.
  fileprivate func next(after given: Int) -> [ArgumentSpec] {
    let last = arguments.last?.isRepeatable == true ? arguments.count - 1 : arguments.count
    let rest = arguments.dropFirst(min(given, last))
    let optional = rest.prefix { $0.isOptional && $0.name != rest.last?.name }
    return Array(rest.prefix(optional.count + 1))
  }
}

extension OptionSpec {
  /// The ways to write it, the short one first.
  fileprivate var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(long)"] }

  /// Whether its value is the path of a file or folder.
  fileprivate var isPath: Bool { ["file", "folder", "script"].contains(value) }
}
