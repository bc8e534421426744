package import StatyHistory
import StatySQLite

/// One statement of a user's SQL that reads the views of a history.
///
/// It can only read. A statement that writes, attaches, configures or reads private tables is not
/// compiled. Its time and memory are limited, and it holds one row at a time. Use its reader for
/// nothing else while it exists.
package final class HistoryQuery {
  private let connection: Connection
  private let statement: Statement
  private let watch: StatementGuard
  private let permission: QueryPermission
  private let budget: QueryBudget

  /// The names of the columns, as the SQL gives them.
  package let columns: [String]

  /// The most memory that SQLite may use.
  private static let mostMemory: Int64 = 256 << 20

  /// - Parameters:
  ///   - parameters: the values of the SQL's parameters, by their names without `:`, `@` or `$`.
  ///   - patience: how long it may take from now to its last row, including the work between rows.
  ///   - waited: how long the caller has waited for others so far, which does not count.
  package init(
    _ reader: HistoryReader, sql: String, parameters: [String: QueryValue] = [:],
    patience: Duration, waited: @escaping () -> Duration = { .zero }
  ) throws(QueryError) {
    connection = reader.connection
    let (permission, mirror): (QueryPermission, Connection)
    do {
      permission = try QueryPermission(connection)
      mirror = try permission.mirror(of: connection)
    } catch {
      throw .failed(HistoryError(error))
    }
    let budget = QueryBudget(patience, waited)
    // SQLite declares these at their first use, which looks like a change of the schema.
    for table in QueryPermission.functionTables {
      _ = try? mirror.prepare("SELECT 1 FROM \(table)('[]')")
      _ = try? connection.prepare("SELECT 1 FROM \(table)('[]')")
    }
    watch = StatementGuard(
      connection, isAllowed: permission.allows, mayGoOn: { budget.isLeft })
    self.budget = budget
    self.permission = permission
    Connection.limitMemory(bytes: Self.mostMemory)
    var compiler = mirror
    do throws(SQLiteError) {
      let mirrored = StatementGuard(
        mirror, isAllowed: permission.allowsItself, mayGoOn: { budget.isLeft })
      _ = try mirror.prepare(sql)
      mirrored.lift()
      compiler = connection
      statement = try connection.prepare(sql)
    } catch {
      watch.lift()
      throw QueryError(error, compiling: sql, permission, budget, compiler)
    }
    columns = statement.columnNames
    guard statement.isReadOnly, !columns.isEmpty else { throw .refused(.writes) }
    try bind(parameters)
  }

  private func bind(_ parameters: [String: QueryValue]) throws(QueryError) {
    var unused = Set(parameters.keys)
    for index in stride(from: 1, through: statement.parameterCount, by: 1) {
      guard let name = statement.parameterName(at: index) else { throw .nameless }
      let bare = String(name.dropFirst())
      guard let value = parameters[bare] else { throw .missing(name) }
      unused.remove(bare)
      do throws(SQLiteError) {
        try value.bind(to: statement, at: index)
      } catch {
        throw .failed(HistoryError(error))
      }
    }
    if let name = unused.min() { throw .unused(name) }
  }

  /// The values of the next row; none after the last.
  package func next() throws(QueryError) -> [QueryValue]? {
    // If rows come fast, SQLite does not call its own watch.
    guard budget.isLeft else {
      statement.reset()
      throw .tookTooLong(seconds: budget.seconds)
    }
    do throws(SQLiteError) {
      guard try statement.step() else {
        statement.reset()
        return nil
      }
      var values: [QueryValue] = []
      for index in columns.indices { values.append(try QueryValue(statement, at: index)) }
      return values
    } catch {
      statement.reset()
      if let refusal = permission.refusal { throw .refused(refusal) }
      if let damage = permission.damage(behind: error, in: connection) { throw .failed(damage) }
      throw QueryError(error, budget)
    }
  }
}

/// How long a query may still take.
private final class QueryBudget {
  private let patience: Duration
  private let waited: () -> Duration
  private let begun = ContinuousClock.now

  init(_ patience: Duration, _ waited: @escaping () -> Duration) {
    self.patience = patience
    self.waited = waited
  }

  var isLeft: Bool { ContinuousClock.now - begun - waited() < patience }

  /// The allowed time, for the message when it is over.
  var seconds: Double { patience / .seconds(1) }
}

/// Decides what a query may do, and remembers what it refused first.
///
/// SQLite's authorizer cannot tell whether the SQL names a table itself or through a view that was
/// expanded. So a statement is first compiled where only tables with the views' names and columns
/// exist.
private final class QueryPermission {
  private let views: Set<String>
  /// The tables, and the views that only other views use.
  private let tables: Set<String>
  private(set) var refusal: QueryError.Refusal?
  /// The functions that the SQL calls itself, not through a view.
  private var functions: Set<String> = []

  init(_ connection: Connection) throws {
    let rows = try connection.prepare("SELECT type, name FROM sqlite_schema")
    var (views, tables) = (Set<String>(), Set<String>())
    while try rows.step() {
      let name = try rows.string(at: 1) ?? ""
      switch try rows.string(at: 0) {
      // Private views change between versions, as tables do.
      case "view" where name.hasPrefix("_"): tables.insert(name)
      case "view": views.insert(name)
      case "table": tables.insert(name)
      default: break
      }
    }
    self.views = views
    self.tables = tables
  }

  /// A database in memory that has only the views' columns.
  func mirror(of connection: Connection) throws -> Connection {
    func quoted(_ name: String) -> String {
      let parts = name.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
      return "\"" + parts.map(String.init).joined(separator: "\"\"") + "\""
    }
    let mirror = try Connection()
    try mirror.configureForReading()
    try mirror.setPragma("query_only", to: "0")
    for view in views {
      let columns = try connection.prepare("SELECT * FROM \(quoted(view))").columnNames
      try mirror.execute(
        "CREATE TABLE \(quoted(view))(\(columns.map(quoted).joined(separator: ", ")))")
    }
    return mirror
  }

  /// SQLite's functions that are used like tables.
  static let functionTables: Set<String> = ["json_each", "json_tree"]
  /// Functions that load code, or reveal addresses of code.
  private static let dangerous: Set<String> = ["load_extension", "fts3_tokenizer"]

  /// Whether the SQL itself, without the views, may do this.
  func allowsItself(_ action: StatementAction) -> Bool {
    if case .function(let name) = action { functions.insert(name.lowercased()) }
    return allows(action)
  }

  /// The damage in the file, if a view failed on it and the SQL is not at fault.
  func damage(behind error: SQLiteError, in connection: Connection) -> HistoryError? {
    guard error.code == .error, error.message == "integer overflow",
      functions.isDisjoint(with: ["sum", "abs"])
    else { return nil }
    return .damaged("its times are too large to be added up")
  }

  func allows(_ action: StatementAction) -> Bool {
    switch action {
    case .select, .recursion: return true
    case .function(let name):
      if !Self.dangerous.contains(name.lowercased()) { return true }
      refusal = refusal ?? .function(name)
    case .read(let table, let column, let view):
      if view != nil || views.contains(table) || tables.contains(table)
        || Self.functionTables.contains(table.lowercased())
      {
        return true
      }
      // If no column is read, a recursion in the SQL looks like a table. Unknown tables do not
      // exist, except SQLite's own.
      if column.isEmpty, !table.lowercased().hasPrefix("sqlite_") { return true }
      refusal = refusal ?? .privateTable(table)
    case .other: refusal = refusal ?? .writes
    }
    return false
  }

  /// The refusal of a table that exists in the file but is private.
  func refusal(of message: String) -> QueryError.Refusal? {
    let beginning = "no such table: "
    guard message.hasPrefix(beginning) else { return nil }
    let name = String(message.dropFirst(beginning.count))
    let table = name.split(separator: ".").last.map(String.init) ?? name
    return tables.contains { $0.lowercased() == table.lowercased() } ? .privateTable(table) : nil
  }
}

extension QueryError {
  fileprivate init(
    _ error: SQLiteError, compiling sql: String, _ permission: QueryPermission,
    _ budget: QueryBudget, _ connection: Connection
  ) {
    if let refusal = permission.refusal ?? permission.refusal(of: error.message) {
      self = .refused(refusal)
    } else if error.code == .misuse {
      self = .refused(.several)
    } else if error.code == .error || error.code == .tooBig {
      // The offset does not count the space in front.
      let space = sql.prefix(while: \.isWhitespace).utf8.count
      self = .wrong(message: error.message, offset: connection.errorOffset.map { $0 + space })
    } else {
      self.init(error, budget)
    }
  }

  fileprivate init(_ error: SQLiteError, _ budget: QueryBudget) {
    switch error.code {
    case .interrupted: self = .tookTooLong(seconds: budget.seconds)
    case .outOfMemory: self = .tookTooMuch(bytes: 256 << 20)
    case .error, .tooBig, .mismatch: self = .wrong(message: error.message, offset: nil)
    default: self = .failed(HistoryError(error))
    }
  }
}
