import Doors

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The door that `STATY_DOOR` names.
private let door: Door = {
  let name = getenv("STATY_DOOR").map { String(cString: $0) } ?? ""
  guard let door = Door(rawValue: name) else {
    fatalError("Say with STATY_DOOR which of \(Door.allCases.map(\.rawValue)).")
  }
  return door
}()

/// Called by libFuzzer with what it wants to be tried.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try door.open(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(door.rawValue): \(error)")
  }
  return 0
}
