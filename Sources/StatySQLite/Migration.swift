import StatyText

/// A step in the history of a schema, with a number and a name.
///
/// It is never changed after its release.
package struct Migration: Equatable, Sendable {
  /// The place in the order, from 1.
  package let number: Int

  /// A short name.
  package let name: String

  /// The statements of the migration.
  ///
  /// They run in a transaction, which they must not end.
  package let sql: String

  /// A checksum of the SQL: 64-bit FNV-1a in 16 hexadecimal digits.
  ///
  /// It detects that a released migration was edited by accident, but not a forgery. Line endings
  /// are left out, because a checkout may change them.
  package let checksum: String

  /// Creates a migration that runs `sql`.
  package init(number: Int, name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
    checksum = Self.checksum(of: sql)
  }

  private static func checksum(of sql: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in sql.utf8 where byte != UInt8(ascii: "\r") {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return hash.hexadecimal
  }
}
