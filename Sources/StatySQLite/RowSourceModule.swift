import CSQLite

extension Connection {
  /// Makes `source` a read-only table with this name until the connection closes.
  ///
  /// Only SQL of the application can use the table, not a view or trigger in the file. One
  /// statement at a time may read it, and only once in its text. A table of the file with the same
  /// name takes precedence, so choose a name that the schema does not have.
  ///
  /// - Parameter name: an identifier of letters, digits and `_`.
  package func register(_ source: any RowSource, as name: String) throws(SQLiteError) {
    let registration = Unmanaged.passRetained(Registration(source))
    // SQLite owns the reference and releases it with the last function, even if this call fails.
    let result = sqlite3_create_module_v2(
      handle, name, rowSourceModule, registration.toOpaque(),
      { Unmanaged<Registration>.fromOpaque($0!).release() })
    try check(result, "registering a row source")
  }
}

/// A source as the C callbacks use it.
///
/// C callbacks cannot be generic, so calls go through an existential. Its cost cannot be measured:
/// with a plain C array of cells, or a pointer to integers that a C callback reads, the speed was
/// the same, 3.8 to 4.0 million rows of 8 integers a second. Bound inserts wrote 2.3 million.
private final class Registration {
  let source: any RowSource
  var isBeingRead = false

  init(_ source: any RowSource) {
    self.source = source
  }
}

/// The callbacks.
///
/// `xCreate` is missing. So a table with the module's name exists without a statement that creates
/// it, and no other table of the module can.
///
/// `nonisolated(unsafe)` because it is a pointer to memory that is written once, here, and only
/// read after that. SQLite requires that it outlives all connections.
nonisolated(unsafe) private let rowSourceModule: UnsafePointer<sqlite3_module> = {
  var module = sqlite3_module()
  module.iVersion = 1
  module.xConnect = connect
  module.xBestIndex = { _, plan in
    plan?.pointee.estimatedCost = 1_000_000
    return SQLITE_OK
  }
  module.xDisconnect = { table in
    table.map { UnsafeMutableRawPointer($0).deallocate() }
    return SQLITE_OK
  }
  module.xOpen = open
  module.xClose = close
  module.xFilter = { cursor, _, _, _, _ in
    let cursor = rowCursor(cursor)
    cursor.pointee.row = 1
    return perform(cursor) { source throws in try source.rewind() }
  }
  module.xNext = { cursor in
    let cursor = rowCursor(cursor)
    cursor.pointee.row += 1
    return perform(cursor) { source throws in try source.next() }
  }
  module.xEof = { cursor in
    registration(rowCursor(cursor).pointee.registration)._withUnsafeGuaranteedRef {
      $0.source.isAtEnd ? 1 : 0
    }
  }
  module.xColumn = { cursor, context, index in
    registration(rowCursor(cursor).pointee.registration)._withUnsafeGuaranteedRef {
      $0.source.column(Int(index), into: RowResult(context: context!))
    }
    return SQLITE_OK
  }
  module.xRowid = { cursor, row in
    row?.pointee = rowCursor(cursor).pointee.row
    return SQLITE_OK
  }
  let memory = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  memory.initialize(to: module)
  return UnsafePointer(memory)
}()

// The functions below get the pointers that `connect` and `open` gave to SQLite: structs of this
// file that begin with SQLite's. A registration is alive as long as a table of it, because SQLite
// releases it only after the last table is disconnected.

private func connect(
  _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: Int32,
  _: UnsafePointer<UnsafePointer<CChar>?>?,
  _ made: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  let declaration = registration(context).takeUnretainedValue().source.declaration
  staty_sqlite3_vtab_direct_only(handle)
  let result = sqlite3_declare_vtab(handle, declaration)
  guard result == SQLITE_OK else {
    message?.pointee = sqliteText(
      "the row source's declaration is refused: " + String(cString: sqlite3_errmsg(handle)))
    return result
  }
  let table = UnsafeMutablePointer<staty_row_table>.allocate(capacity: 1)
  table.initialize(to: staty_row_table())
  table.pointee.registration = context
  made?.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
  return SQLITE_OK
}

private func open(
  _ table: UnsafeMutablePointer<sqlite3_vtab>?,
  _ made: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
) -> Int32 {
  let context = UnsafeMutableRawPointer(table!)
    .assumingMemoryBound(to: staty_row_table.self).pointee.registration
  let reader = registration(context).takeUnretainedValue()
  guard !reader.isBeingRead else {
    fail(table, "the row source is being read already")
    return SQLITE_LOCKED
  }
  reader.isBeingRead = true
  let cursor = UnsafeMutablePointer<staty_row_cursor>.allocate(capacity: 1)
  cursor.initialize(to: staty_row_cursor())
  cursor.pointee.registration = context
  made?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
  return SQLITE_OK
}

private func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
  let cursor = rowCursor(cursor)
  registration(cursor.pointee.registration).takeUnretainedValue().isBeingRead = false
  cursor.deallocate()
  return SQLITE_OK
}

private func perform(
  _ cursor: UnsafeMutablePointer<staty_row_cursor>, _ step: (any RowSource) throws -> Void
) -> Int32 {
  do {
    // The table keeps the registration alive (see above). Retaining it for each row would cost more
    // than the call.
    try registration(cursor.pointee.registration)._withUnsafeGuaranteedRef { try step($0.source) }
    return SQLITE_OK
  } catch {
    fail(cursor.pointee.base.pVtab, "the row source failed: \(error)")
    return SQLITE_ERROR
  }
}

private func rowCursor(
  _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
) -> UnsafeMutablePointer<staty_row_cursor> {
  UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: staty_row_cursor.self)
}

private func registration(_ context: UnsafeMutableRawPointer?) -> Unmanaged<Registration> {
  Unmanaged.fromOpaque(context!)
}

/// Stores `message` where SQLite expects the message of an error code.
private func fail(_ table: UnsafeMutablePointer<sqlite3_vtab>?, _ message: String) {
  sqlite3_free(table?.pointee.zErrMsg)
  table?.pointee.zErrMsg = sqliteText(message)
}

/// A C string in SQLite's memory, which SQLite frees.
private func sqliteText(_ text: String) -> UnsafeMutablePointer<CChar>? {
  text.withCString { source in
    let count = text.utf8.count + 1
    let copy = sqlite3_malloc64(UInt64(count))?.assumingMemoryBound(to: CChar.self)
    copy?.initialize(from: source, count: count)
    return copy
  }
}
