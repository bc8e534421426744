// Runs one of the seeds' examples on the double of UIKit, and leaves a history of it.
//
//   SeedExamples NAME HISTORY

import StatyRecorder
import UIKit

let examples: [String: @MainActor (HistoryRecorder) -> Void] = [
  "staty": StatyExample.run,
  "transitions": TransitionsExample.run,
  "table": TableExample.run,
  "comments": CommentsExample.run,
  "staty-2019": FaultyExamples.staty,
  "presenter": FaultyExamples.presenter,
  "keyed-2015": FaultyExamples.table,
  "container-2020": FaultyExamples.container,
]

guard CommandLine.arguments.count == 3, let example = examples[CommandLine.arguments[1]] else {
  print(
    "usage: SeedExamples NAME HISTORY\nnames: \(examples.keys.sorted().joined(separator: ", "))")
  exit(64)
}
let recorder = try HistoryRecorder(at: CommandLine.arguments[2])
example(recorder)
recorder.close()
