// staty-bench NAME [KEY...] [--json]
//
// Runs one group of benchmarks, each with its baseline in the same run. With keys, only these are
// measured. `--json` prints one object with the group's keys; otherwise a table is printed.

let arguments = CommandLine.arguments.dropFirst()
let groups: [(name: String, run: (Wanted) -> [Figure])] = [
  ("core", CoreBench.run),
  ("recorder", RecorderBench.run),
  ("replay", ReplayBench.run),
  ("check", { $0.pick(CheckBench.run()) }),
  ("explore", ExploreBench.run),
  ("orders", OrdersBench.run),
  ("sql", { $0.pick(SQLBench.run()) }),
]

if arguments.count == 3, arguments.first == RestoreBench.argument,
  let length = Int(arguments[3])
{
  RestoreBench.recordAndDie(arguments[2], length)
}

let names = arguments.filter { !$0.hasPrefix("-") }
let unknown = arguments.filter { $0.hasPrefix("-") && $0 != "--json" }
guard let name = names.first, unknown.isEmpty, let group = groups.first(where: { $0.name == name })
else {
  complain("usage: staty-bench \(groups.map(\.name).joined(separator: "|")) [KEY...] [--json]")
}

let wanted = Wanted(keys: Array(names.dropFirst()))
let figures = group.run(wanted)
BenchFolder.remove()
if figures.isEmpty { complain("staty-bench \(name) has no \(wanted.keys.joined(separator: ", "))") }
print(arguments.contains("--json") ? json(figures) : table(figures))
