// staty-bench NAME [--json]
//
// Runs one group of benchmarks, each beside its baseline in the same run. `--json` prints one
// object with the group's keys; otherwise a table for people.

let arguments = CommandLine.arguments.dropFirst()
let groups: [(name: String, run: () -> [Figure])] = [
  ("core", CoreBench.run),
  ("history", HistoryBench.run),
  ("recorder", RecorderBench.run),
]

let names = arguments.filter { !$0.hasPrefix("-") }
let unknown = arguments.filter { $0.hasPrefix("-") && $0 != "--json" }
guard names.count == 1, unknown.isEmpty, let group = groups.first(where: { $0.name == names[0] })
else {
  complain("usage: staty-bench \(groups.map(\.name).joined(separator: "|")) [--json]")
}

let figures = group.run()
print(arguments.contains("--json") ? json(figures) : table(figures))
