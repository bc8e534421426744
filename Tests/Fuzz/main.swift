import Doors
import LibC

// Runs libFuzzer on the door that `STATY_DOOR` names; the arguments are libFuzzer's.

/// A function of libFuzzer's own, for programs that have a main function.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

let name = getenv("STATY_DOOR").map { String(cString: $0) } ?? ""
guard let chosen = Door(rawValue: name) else {
  fatalError("Say with STATY_DOOR which of \(Door.allCases.map(\.rawValue)).")
}
let door = chosen

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  runDriver(&count, &arguments) { start, count in
    do {
      try door.open(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
      fatalError("\(door.rawValue): \(error)")
    }
    return 0
  })
