// staty-bench NAME [KEY...] [--json]
//
// Runs one group of benchmarks, each with its baseline in the same run. With keys, only these are
// measured. `--json` prints one object with the group's keys; otherwise a table is printed.
// `--events=N` measures `scale` only at this length.

let arguments = CommandLine.arguments.dropFirst()
let events = arguments.first { $0.hasPrefix(ScaleBench.argument + "=") }.map { word in
  guard let number = Int(word.dropFirst(ScaleBench.argument.count + 1)), number >= 1_000 else {
    complain("staty-bench: \(word) is no number of events from 1000 on")
  }
  return number
}
let groups: [(name: String, run: (Wanted) -> [Figure])] = [
  ("core", CoreBench.run),
  ("history", { $0.pick(HistoryBench.run()) }),
  ("recorder", RecorderBench.run),
  ("replay", ReplayBench.run),
  ("check", { $0.pick(CheckBench.run()) }),
  ("explore", ExploreBench.run),
  ("sql", { $0.pick(SQLBench.run()) }),
  ("scale", { ScaleBench.run($0, events: events) }),
]

if arguments.count == 3, arguments.first == RestoreBench.argument,
  let length = Int(arguments[3])
{
  RestoreBench.recordAndDie(arguments[2], length)
}

let names = arguments.filter { !$0.hasPrefix("-") }
let unknown = arguments.filter {
  $0.hasPrefix("-") && $0 != "--json" && !(events != nil && $0.hasPrefix(ScaleBench.argument + "="))
}
guard let name = names.first, unknown.isEmpty, let group = groups.first(where: { $0.name == name })
else {
  complain("usage: staty-bench \(groups.map(\.name).joined(separator: "|")) [KEY...] [--json]")
}

let wanted = Wanted(keys: Array(names.dropFirst()))
let figures = group.run(wanted)
BenchFolder.remove()
if figures.isEmpty { complain("staty-bench \(name) has no \(wanted.keys.joined(separator: ", "))") }
print(arguments.contains("--json") ? json(figures) : table(figures))
