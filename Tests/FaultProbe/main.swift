// Makes memory, disk or power fail while a recorder runs, and prints the problems.
//
//   FaultProbe sweep memory|input|full SCENE SEED once|for-a-while|for-good FROM THROUGH [BY]
//   FaultProbe power SEED RUNS honest|never|lies|fails [SCENE [STATES]]
//
// SCENE is `empty`, `killed`, or the path of a history of an older schema. The last line is a summary. Each
// line before it is a problem and begins with the arguments that repeat it.

import Foundation

func fail(_ text: String) -> Never {
  try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  exit(64)
}

FaultyMemory.install()
FaultyDisk.install()

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "sweep":
  guard arguments.count >= 7, let kind = Sweep.Kind(rawValue: arguments[1]),
    let seed = UInt64(arguments[3]), let manner = Sweep.Manner(rawValue: arguments[4]),
    let from = Int(arguments[5]), let through = Int(arguments[6])
  else {
    fail("sweep memory|input|full SCENE SEED once|for-a-while|for-good FROM THROUGH [BY]")
  }
  let sweep = Sweep(
    kind: kind, scene: Scene(arguments[2]), seed: seed, from: from, through: through,
    by: arguments.count > 7 ? Int(arguments[7]) ?? 1 : 1, manner: manner)
  let outcome = sweep.run()
  outcome.problems.forEach { print($0) }
  print("\(outcome.runs) runs, \(outcome.strikes) failed calls, \(outcome.problems.count) problems")
case "power":
  guard arguments.count >= 3, let seed = UInt64(arguments[1]), let runs = UInt64(arguments[2])
  else { fail("power SEED RUNS honest|never|lies|fails [SCENE [STATES]]") }
  var states = 0
  var problems = 0
  for run in seed..<(seed + runs) {
    let syncing: Disk.Syncing =
      switch arguments.dropFirst(3).first {
      case "never": .never
      case "lies": .lies(at: 1 + Int(run % 12))
      case "fails": .fails(at: 1 + Int(run % 12))
      default: .honest
      }
    let scene = Scene(arguments.count > 4 ? arguments[4] : "empty")
    var loss = PowerLoss(seed: run, scene: scene, syncing: syncing)
    if arguments.count > 5 { loss.states = Int(arguments[5]) ?? loss.states }
    let outcome = loss.run()
    outcome.problems.forEach { print($0) }
    states += outcome.states
    problems += outcome.problems.count
  }
  print("\(states) states, \(Verdict.removed) sessions removed, \(problems) problems")
default: fail("sweep … | power …")
}
