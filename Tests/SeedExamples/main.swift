// Runs one of the articles' examples on the double of UIKit and records a history of it.
//
//   SeedExamples NAME HISTORY

import StatyRecorder
import UIKit

let sound: [String: @MainActor (HistoryRecorder) -> Void] = [
  "staty": StatyExample.run,
  "transitions": TransitionsExample.run,
  "table": TableExample.run,
  "comments": CommentsExample.run,
]
let examples = sound.merging(FaultyExamples.all) { sound, _ in sound }

guard CommandLine.arguments.count == 3, let example = examples[CommandLine.arguments[1]] else {
  print(
    "usage: SeedExamples NAME HISTORY\nnames: \(examples.keys.sorted().joined(separator: ", "))")
  exit(64)
}
let recorder = try HistoryRecorder(at: CommandLine.arguments[2])
example(recorder)
recorder.close()
