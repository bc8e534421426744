// RecorderProbe HISTORY ACKNOWLEDGED THREADS
//
// Records requests on several threads until it is killed. After each call that recorded one has
// returned, the thread's count in the file ACKNOWLEDGED is raised, through a mapping, so that
// whoever kills this process knows what it had been promised.
//
// RecorderProbe HISTORY --do WORD…
//
// Does what the words say, see `Script`, and kills itself.

import Foundation
import Staty
import StatyRecorder

let arguments = CommandLine.arguments
if arguments.count > 2, arguments[2] == "--do" {
  try Script(path: arguments[1]).carryOut(arguments.dropFirst(3))
}
guard arguments.count == 4, let threads = Int(arguments[3]) else { exit(64) }

let descriptor = open(arguments[2], O_RDWR | O_CREAT, 0o600)
ftruncate(descriptor, 4_096)
let mapped = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)!
// Each thread writes a word of its own, aligned and hence whole.
nonisolated(unsafe) let counts = mapped.assumingMemoryBound(to: UInt64.self)

let recorder = try HistoryRecorder(at: arguments[1])
for thread in 0..<threads {
  Thread.detachNewThread {
    let probe = ControllerProbe("probe")
    recorder.attach(to: probe, as: "thread \(thread)")
    let state = StateObject()
    var random = SystemRandomNumberGenerator()
    for count in 1... {
      probe.requested(state, named: "asked")
      counts[thread] = UInt64(count)
      // Slow enough for the writer, so that nothing is dropped for want of room.
      if count % 64 == 0 { usleep(UInt32.random(in: 100...1_500, using: &random)) }
    }
  }
}
FileHandle.standardOutput.write(Data("recording\n".utf8))
while true { sleep(1) }

final class StateObject {}
