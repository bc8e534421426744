import CFaults
import CSQLite

/// SQLite's memory, of which there may be none.
///
/// Swift's own is not touched: a Swift program does not survive without.
enum FaultyMemory {
  static let plan = FaultPlan()

  /// Must come before SQLite is first used.
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

  // Function pointers only, which never change once they have been read.
  nonisolated(unsafe) private static let original: sqlite3_mem_methods = {
    var methods = sqlite3_mem_methods()
    guard staty_faults_allocator(&methods) == SQLITE_OK else {
      fail("SQLite does not say what it allocates with")
    }
    return methods
  }()
}
