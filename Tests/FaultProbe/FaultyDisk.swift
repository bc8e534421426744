import CSQLite
import Foundation

/// The kinds of calls that fail.
enum DiskFault: Sendable {
  /// Any call, like a disk with a loose cable.
  case input
  /// Calls that need space. A write succeeds in part before it fails.
  case full
}

/// A layer between SQLite and the real disk, whose calls can fail.
enum FaultyDisk {
  static let plan = FaultPlan()
  static let disk = Disk()

  /// Makes SQLite open all files through it.
  static func install() {
    vfs.pointee.szOsFile =
      base.pointee.szOsFile + Int32(MemoryLayout<FaultyFile>.stride)
    guard sqlite3_vfs_register(vfs, 1) == SQLITE_OK else { fail("SQLite takes no other disk") }
  }

  /// The plan for failures; set it before other threads begin.
  nonisolated(unsafe) static var fault = DiskFault.input

  /// Whether a call that needs no space fails.
  fileprivate static func isLoose() -> Bool { plan.strikes(fault == .input) }

  /// Whether a call that needs space fails.
  fileprivate static func isOut() -> Bool { plan.strikes() }

  // Written once, before it is used, and only read after that.
  nonisolated(unsafe) fileprivate static let base = sqlite3_vfs_find(nil)!
  nonisolated(unsafe) private static let name = strdup("staty-faults")
  nonisolated(unsafe) fileprivate static let vfs = {
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: base.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(name)
    vfs.pointee.xOpen = { FaultyDisk.open($0, $1, $2, $3, $4) }
    vfs.pointee.xDelete = { _, path, isSynced in
      if FaultyDisk.isLoose() { return InputError.deleting }
      let result = base.pointee.xDelete(base, path, isSynced)
      if result == SQLITE_OK, let path {
        FaultyDisk.disk.deleted(String(cString: path), isSynced: isSynced != 0)
      }
      return result
    }
    vfs.pointee.xAccess = { _, path, flags, answer in
      if FaultyDisk.isLoose() { return InputError.accessing }
      return base.pointee.xAccess(base, path, flags, answer)
    }
    vfs.pointee.xFullPathname = { _, path, size, answer in
      base.pointee.xFullPathname(base, path, size, answer)
    }
    return vfs
  }()

  private static func open(
    _: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ held: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    file.pointee.pMethods = nil
    let creates = flags & SQLITE_OPEN_CREATE != 0
    if creates ? isOut() : isLoose() { return SQLITE_CANTOPEN }
    // A reader's connection asks for the file's size before any write.
    let name = path.map { String(cString: $0) }
    if let name { disk.opened(name) }
    let result = base.pointee.xOpen(base, path, lower(file), flags, held)
    guard lower(file).pointee.pMethods != nil else { return result }
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: FaultyFile.self).pointee.path =
      name.map { UnsafePointer(strdup($0)) }
    file.pointee.pMethods = UnsafePointer(methods)
    return result
  }
}

/// SQLite's extended result codes.
///
/// Swift does not import their macros.
private enum InputError {
  static let reading = SQLITE_IOERR | 1 << 8
  static let writing = SQLITE_IOERR | 3 << 8
  static let syncing = SQLITE_IOERR | 4 << 8
  static let truncating = SQLITE_IOERR | 6 << 8
  static let measuring = SQLITE_IOERR | 7 << 8
  static let deleting = SQLITE_IOERR | 10 << 8
  static let accessing = SQLITE_IOERR | 13 << 8
  static let askingForLock = SQLITE_IOERR | 14 << 8
  static let locking = SQLITE_IOERR | 15 << 8
  static let sharedLocking = SQLITE_IOERR | 20 << 8
  static let sharedMapping = SQLITE_IOERR | 21 << 8
}

/// A file that SQLite has open.
///
/// In memory, the real file follows it.
private struct FaultyFile {
  var file = sqlite3_file()
  /// The path; `nil` for a file that is deleted on closing.
  var path: UnsafePointer<CChar>?
}

private func lower(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<
  sqlite3_file
> {
  let behind = UnsafeMutableRawPointer(file!) + MemoryLayout<FaultyFile>.stride
  return behind.assumingMemoryBound(to: sqlite3_file.self)
}

private func path(_ file: UnsafeMutablePointer<sqlite3_file>?) -> String? {
  let faulty = UnsafeMutableRawPointer(file!).assumingMemoryBound(to: FaultyFile.self)
  return faulty.pointee.path.map { String(cString: $0) }
}

/// The real file.
private func methods(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
  lower(file).pointee.pMethods.pointee
}

// Written once, before it is used, and only read after that.
nonisolated(unsafe) private let methods = {
  let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  methods.initialize(to: sqlite3_io_methods())
  addContents(&methods.pointee)
  addLocks(&methods.pointee)
  addSharedMemory(&methods.pointee)
  return methods
}()

private func addContents(_ table: inout sqlite3_io_methods) {
  // Version 2, without memory mapping, which is not used here.
  table.iVersion = 2
  table.xClose = { file in
    let result = methods(file).xClose(lower(file))
    let faulty = UnsafeMutableRawPointer(file!).assumingMemoryBound(to: FaultyFile.self)
    free(UnsafeMutableRawPointer(mutating: faulty.pointee.path))
    return result
  }
  table.xRead = { file, bytes, count, offset in
    if FaultyDisk.isLoose() { return InputError.reading }
    return methods(file).xRead(lower(file), bytes, count, offset)
  }
  table.xWrite = { file, bytes, count, offset in
    let fails = FaultyDisk.isOut()
    // A failed write may have been done in part.
    let done = fails ? count / 2 / 512 * 512 : count
    if done > 0 {
      let result = methods(file).xWrite(lower(file), bytes, done, offset)
      guard result == SQLITE_OK else { return result }
      if let path = path(file) {
        FaultyDisk.disk.wrote(
          path, UnsafeRawBufferPointer(start: bytes, count: Int(done)), at: Int(offset))
      }
    }
    guard fails else { return SQLITE_OK }
    return FaultyDisk.fault == .full ? SQLITE_FULL : InputError.writing
  }
  table.xTruncate = { file, size in
    if FaultyDisk.isLoose() { return InputError.truncating }
    let result = methods(file).xTruncate(lower(file), size)
    if result == SQLITE_OK, let path = path(file) {
      FaultyDisk.disk.truncated(path, to: Int(size))
    }
    return result
  }
  table.xSync = { file, flags in
    if FaultyDisk.isLoose() { return InputError.syncing }
    let result = methods(file).xSync(lower(file), flags)
    if result == SQLITE_OK, let path = path(file), !FaultyDisk.disk.synced(path) {
      return InputError.syncing
    }
    return result
  }
  table.xFileSize = { file, size in
    if FaultyDisk.isLoose() { return InputError.measuring }
    return methods(file).xFileSize(lower(file), size)
  }
  table.xFileControl = { file, operation, argument in
    methods(file).xFileControl(lower(file), operation, argument)
  }
  table.xSectorSize = { file in methods(file).xSectorSize(lower(file)) }
  table.xDeviceCharacteristics = { file in methods(file).xDeviceCharacteristics(lower(file)) }
}

private func addLocks(_ table: inout sqlite3_io_methods) {
  table.xLock = { file, level in
    if FaultyDisk.isLoose() { return InputError.locking }
    return methods(file).xLock(lower(file), level)
  }
  table.xUnlock = { file, level in methods(file).xUnlock(lower(file), level) }
  table.xCheckReservedLock = { file, answer in
    if FaultyDisk.isLoose() { return InputError.askingForLock }
    return methods(file).xCheckReservedLock(lower(file), answer)
  }
}

private func addSharedMemory(_ table: inout sqlite3_io_methods) {
  table.xShmMap = { file, region, size, extends, memory in
    if extends != 0 ? FaultyDisk.isOut() : FaultyDisk.isLoose() { return InputError.sharedMapping }
    return methods(file).xShmMap(lower(file), region, size, extends, memory)
  }
  table.xShmLock = { file, first, count, flags in
    // Closing succeeds on any disk.
    if flags & SQLITE_SHM_UNLOCK == 0, FaultyDisk.isLoose() { return InputError.sharedLocking }
    return methods(file).xShmLock(lower(file), first, count, flags)
  }
  table.xShmBarrier = { file in methods(file).xShmBarrier(lower(file)) }
  table.xShmUnmap = { file, deletes in methods(file).xShmUnmap(lower(file), deletes) }
}
