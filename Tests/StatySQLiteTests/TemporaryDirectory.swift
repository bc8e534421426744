import Foundation
import StatySQLite
import Testing

/// A directory that is removed at the end of the test.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array((NSTemporaryDirectory() + "/staty-XXXXXX").utf8CString)
    let made = try #require(mkdtemp(&template))
    // Resolved, because a connection reports resolved paths.
    path = URL(fileURLWithPath: String(cString: made)).resolvingSymlinksInPath().path
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String {
    path + "/" + name
  }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }

  func write(_ bytes: Data, to name: String) throws {
    try bytes.write(to: URL(fileURLWithPath: file(name)))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

extension Connection {
  func integer(_ sql: String) throws -> Int64 {
    let statement = try prepare(sql)
    try #require(try statement.step())
    return statement.int64(at: 0)
  }

  func text(_ sql: String) throws -> String? {
    let statement = try prepare(sql)
    try #require(try statement.step())
    return try statement.string(at: 0)
  }
}

/// Returns the error that `body` throws.
///
/// The test fails if it throws none.
func sqliteError(
  _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> SQLiteError {
  try #require(
    #expect(throws: SQLiteError.self, sourceLocation: location) { try body() },
    sourceLocation: location)
}
