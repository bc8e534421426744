import Foundation
import StatyHistory
import StatyReading
import Testing

/// Names have a length that no writer exceeds and no reader takes more than.
@Suite struct LongNameTests {
  private let longest = String(repeating: "n", count: HistoryFile.longestStoredName)

  @Test func `the longest name is stored, and a longer one is refused with its length`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      _ = try writer.intern(name: longest)
      #expect(throws: HistoryError.nameTooLong(bytes: longest.utf8.count + 1)) {
        try writer.intern(name: longest + "n")
      }
      #expect(throws: HistoryError.nameTooLong(bytes: longest.utf8.count + 1)) {
        try writer.intern(site: longest + "n", line: 1)
      }
    }
    #expect(try HistoryReader(receivedAt: history.path).names().values.contains(longest))
  }

  @Test(arguments: [
    "INSERT INTO name(text) VALUES (hex(zeroblob(40000)))",
    "INSERT INTO site(file, line) VALUES (hex(zeroblob(40000)), 1)",
    "UPDATE session SET app = hex(zeroblob(40000))",
    // The bytes count, and not the letters before the first NUL.
    "INSERT INTO name(text) VALUES (char(0) || hex(zeroblob(40000)))",
  ])
  func `a file with a longer one is damaged, and says which`(_ sql: String) throws {
    let history = try TemporaryHistory()
    try history.write { _ = try $0.beginSession(.test()) }
    try history.tamper(sql)
    let error = #expect(throws: HistoryError.self) { try HistoryReader(receivedAt: history.path) }
    #expect(error?.description.contains("8000") ?? false, "\(String(describing: error))")
  }
}
