import CFaults
import CSQLite

/// SQLite's memory allocations, which can fail.
///
/// Swift's own do not fail, because a Swift program ends without memory.
enum FaultyMemory {
  static let plan = FaultPlan()

  /// Call it before SQLite is used for the first time.
  static func install() {
    var methods = original
    methods.xMalloc = { size in
      FaultyMemory.plan.strikes() ? nil : FaultyMemory.original.xMalloc(size)
    }
    methods.xRealloc = { memory, size in
      FaultyMemory.plan.strikes() ? nil : FaultyMemory.original.xRealloc(memory, size)
    }
    guard staty_faults_set_allocator(&methods) == SQLITE_OK,
      staty_faults_disable_lookaside() == SQLITE_OK
    else { fail("SQLite does not take another allocator") }
  }

  // Only function pointers, which do not change after they were read.
  nonisolated(unsafe) private static let original: sqlite3_mem_methods = {
    var methods = sqlite3_mem_methods()
    guard staty_faults_allocator(&methods) == SQLITE_OK else {
      fail("SQLite does not say what it allocates with")
    }
    return methods
  }()
}
