import Foundation
import StatyCommand
import Testing

/// What shells make of the completions, by running the shells.
@Suite struct CompletionTests {
  private let place: Place

  init() throws {
    place = try Place()
    for name in ["a history.sqlite", "another.sqlite"] { try place.write(.clean, to: name) }
  }

  /// What a shell prints that runs a script, in which `staty` is the tool.
  private func run(_ shell: [String], _ script: String) throws -> [String] {
    try Data(script.utf8).write(to: URL(fileURLWithPath: place.path("script")))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = shell + [place.path("script")]
    process.currentDirectoryURL = URL(fileURLWithPath: place.directory)
    var variables = ProcessInfo.processInfo.environment
    let tools = URL(fileURLWithPath: Binary.path).deletingLastPathComponent().path
    variables["PATH"] = tools + ":" + (variables["PATH"] ?? "")
    variables["HOME"] = place.directory
    process.environment = variables
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// What bash offers for the last of the words.
  private func bash(_ words: String...) throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    return try run(
      ["bash", "--norc", "--noprofile"],
      """
      set -e; source <(staty completions bash)
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _staty
      for word in "${COMPREPLY[@]}"; do echo "$word"; done
      """)
  }

  @Test func `bash offers verbs, options, their values and files`() throws {
    #expect(try bash("staty", "se") == ["sessions"])
    #expect(try bash("staty", "sessions", "--fo") == ["--format", "--force"])
    #expect(try bash("staty", "sessions", "--format", "j") == ["json"])
    #expect(try bash("staty", "sessions", "--format", "=").count == 5)
    #expect(try bash("staty", "show", "--kind", "=", "att") == ["attached"])
    #expect(try bash("staty", "check", "a").sorted() == ["a history.sqlite", "another.sqlite"])
    #expect(try bash("staty", "check", "-o", "an") == ["another.sqlite"])
    #expect(try bash("staty", "check", "--limit", "") == [])
    #expect(try bash("staty", "help", "com") == ["completions"])
    #expect(try bash("staty", "completions", "") == ["bash", "zsh", "fish"])
    #expect(try bash("staty", "replay", "--outc") == [])
    #expect(
      try bash("staty", "stats", "").sorted() == [
        "a history.sqlite", "another.sqlite", "dwell", "script", "slowest",
        "transitions", "waits",
      ])
    #expect(try bash("staty", "check", "--without", "overlapping-") == ["overlapping-handling"])
    #expect(try bash("staty", "explore", "--rule", "overlapping-") == [])
    #expect(try bash("staty", "minimize", "--rule", "=", "never-ent") == ["never-entered"])
    for verb in ["replay", "explore", "minimize", "test"] {
      #expect(try bash("staty", verb, "--with", "keyed") == ["keyed-2015"])
    }
  }

  @Test(.enabled(if: isInstalled("fish"), "There is no fish."))
  func `fish offers verbs, options, their values and files`() throws {
    func offered(_ line: String) throws -> [String] {
      let script = "staty completions fish | source; complete -C '\(line)'"
      return try run(["fish", "--no-config"], script).map {
        String($0.split(separator: "\t")[0])
      }
    }
    #expect(try offered("staty se") == ["sessions"])
    #expect(try offered("staty show --aro") == ["--around"])
    #expect(try offered("staty show --kind att") == ["attached"])
    #expect(try offered("staty show --kind=att") == ["--kind=attached"])
    #expect(try offered("staty check ano") == ["another.sqlite"])
    #expect(try offered("staty completions z") == ["zsh"])
    #expect(try offered("staty stats dw") == ["dwell"])
    #expect(try offered("staty stats ano") == ["another.sqlite"])
    #expect(try offered("staty replay --with keyed") == ["keyed-2015"])
  }

  @Test(.enabled(if: isInstalled("zsh"), "There is no zsh."))
  func `zsh offers verbs, options, their values and files`() throws {
    for (line, wanted) in [
      "staty se": "sessions", "staty show --aro": "--around", "staty show --kind att": "attached",
      "staty show --format=nd": "--format=ndjson", "staty check ano": "another.sqlite",
      "staty completions fi": "fish", "staty stats dw": "dwell",
      "staty stats ano": "another.sqlite", "staty replay --with keyed": "keyed-2015",
    ] {
      // In a terminal, since completions are offered only while typing.
      let said = try run(
        ["timeout", "60", "zsh", "-f"],
        """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'autoload -U compinit && compinit -u -D; source <(staty completions zsh); \
        print REA''DY'
        zpty -r -m shell text '*READY*'
        zpty -w -n shell '\(line)'$'\\t'
        zpty -r -m shell text '*\(wanted)*' && print -r -- found
        """)
      #expect(said.last == "found", "\(line): \(said)")
    }
  }

  @Test func `a shell that is not known is refused with those that are`() {
    let run = Capture(["completions", "tcsh"])
    #expect(run.status == .usage)
    #expect(run.err.contains("There are no completions for 'tcsh', but for bash, zsh and fish."))
  }
}

private func isInstalled(_ shell: String) -> Bool {
  ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
    FileManager.default.isExecutableFile(atPath: $0 + shell)
  }
}
