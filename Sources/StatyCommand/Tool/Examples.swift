/// A command line that shows a use of a verb.
struct Example: Sendable {
  let command: String
  let what: String

  init(_ command: String, _ what: String) {
    (self.command, self.what) = (command, what)
  }

  /// Two or three examples for each verb, for the end of its help, without the tool's name.
  static let all: [String: [Example]] = [
    "demo": [
      Example("demo", "Record the bugs into a new folder, and explain them:"),
      Example("demo -q -o /tmp/bugs", "Only record them, into another folder:"),
    ],
    "sessions": [
      Example("sessions history.sqlite", "See which launches recorded, and how each ended:"),
      Example("sessions --format csv a.sqlite b.sqlite", "The same of several files, as CSV:"),
    ],
    "show": [
      Example("show --around 42 history.sqlite", "See what happened around event 42:"),
      Example("show --state alert --since 10s history.sqlite", "What alerts did at the end:"),
      Example("show -f history.sqlite", "Watch an app while it records:"),
    ],
    "timeline": [
      Example("timeline history.sqlite", "See which states were on screen, and for how long:"),
      Example("timeline --controller checkout --since 5s history.sqlite", "Look closer:"),
      Example("timeline --svg -o lanes.svg history.sqlite", "Draw a picture for a bug report:"),
    ],
    "play": [
      Example("play history.sqlite", "Step through the last session:"),
      Example("play --at 42 history.sqlite", "Begin at the event that a finding names:"),
    ],
    "stats": [
      Example("stats history.sqlite", "See the five largest numbers of each kind:"),
      Example("stats slowest --limit 20 history.sqlite", "The 20 slowest transitions:"),
      Example("stats dwell --format csv history.sqlite", "All times on screen, as CSV:"),
    ],
    "stuck": [
      Example("stuck history.sqlite", "See what never finished:"),
      Example("stuck --json a.sqlite b.sqlite", "The same of several files, for a program:"),
    ],
    "query": [
      Example("query --views", "See which views there are, and what their columns mean:"),
      Example(
        "query history.sqlite 'SELECT state, count(*) FROM visits GROUP BY state'",
        "Count the visits of each state, in a file that 'staty doctor' calls whole:"),
      Example(
        "query history.sqlite 'SELECT * FROM violations WHERE code = :code' --param code=overlap",
        "Hand over a value:"),
    ],
    "check": [
      Example("check history.sqlite", "Find broken rules, and what led to each:"),
      Example("check --strict -q --junit rules.xml history.sqlite", "On a build server:"),
      Example("check --rules rules history.sqlite", "With rules of your own:"),
    ],
    "why": [
      Example("why history.sqlite", "Explain the first finding:"),
      Example("why history.sqlite 42", "Explain an event:"),
      Example("why history.sqlite '#3'", "See what a visit waits for:"),
    ],
    "replay": [
      Example("replay history.sqlite", "See whether the bug happens again:"),
      Example("replay --with checkout=queue history.sqlite", "Try another kind of controller:"),
      Example("replay --skip 12 --delay 14=50ms history.sqlite", "Try other inputs:"),
    ],
    "diff": [
      Example("diff before.sqlite after.sqlite", "Find where two recordings part:"),
      Example("diff --session 1 --other-session 2 history.sqlite history.sqlite", "Two launches:"),
    ],
    "explore": [
      Example("explore history.sqlite", "See whether any order of callbacks breaks a rule:"),
      Example("explore --rule overlap -o found.sqlite history.sqlite", "Keep the order found:"),
      Example("explore --with queue --time 5m history.sqlite", "Prove another controller right:"),
    ],
    "minimize": [
      Example("minimize -o small.sqlite history.sqlite", "Keep only what the first error needs:"),
      Example("minimize --rule overlap history.sqlite", "Reduce another rule's:"),
    ],
    "test": [
      Example("test -o OverlapTests.swift small.sqlite", "Write a test of a minimized history:"),
      Example(
        "test --registry .shop --import Shop small.sqlite", "The test of a class of your own:"),
    ],
    "graph": [
      Example("graph history.sqlite", "A diagram for a Markdown page:"),
      Example("graph --controller checkout -o states.mmd history.sqlite", "Of one controller:"),
    ],
    "report": [
      Example("report -o report.html history.sqlite", "Create a page that you can send:"),
      Example("report --replay -o report.html history.sqlite", "With the replay of each session:"),
    ],
    "export": [
      Example("export -o history.ndjson history.sqlite", "Write everything as lines of JSON:"),
      Example("export --session 2 history.sqlite", "Print one session:"),
    ],
    "import": [
      Example("import -o history.sqlite history.ndjson", "Make a history of exported lines:"),
      Example("import -o history.sqlite -", "Read the lines from standard input:"),
    ],
    "merge": [
      Example("merge -o all.sqlite a.sqlite b.sqlite", "Put two histories into one:"),
      Example("merge -o all.sqlite --force a.sqlite b.sqlite", "Replace an earlier result:"),
    ],
    "redact": [
      Example("redact -o safe.sqlite history.sqlite", "Before you share a file:"),
      Example("redact --keep loading -o safe.sqlite history.sqlite", "Leave a state's name in:"),
    ],
    "prune": [
      Example("prune --keep-sessions 10 history.sqlite", "Keep the ten newest sessions:"),
      Example("prune --older-than 30d history.sqlite", "Delete what is older than a month:"),
    ],
    "doctor": [
      Example("doctor history.sqlite", "See whether a file is sound:"),
      Example("doctor --salvage rest.sqlite history.sqlite", "Save what is left of a damaged one:"),
    ],
    "mcp": [
      Example("mcp recordings", "Serve the recordings in a folder to a client that starts this:"),
      Example("mcp", "Those in the current folder:"),
    ],
    "completions": [
      Example("completions zsh", "Print the completions for zsh:"),
      Example("completions bash", "Print those for bash:"),
    ],
    "help": [
      Example("help replay", "See what 'replay' can do:"),
      Example("help", "List the subcommands:"),
    ],
  ]
}
