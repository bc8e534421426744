import StatyText

/// One step of a schema's history: numbered, named, never changed once it has been released.
package struct Migration: Equatable, Sendable {
  /// Its place in the order, from 1.
  package let number: Int

  /// What it does, in a word.
  package let name: String

  /// The statements that do it.
  ///
  /// They run in a transaction that they must not end.
  package let sql: String

  /// A fingerprint of the SQL: 64-bit FNV-1a in 16 hexadecimal digits.
  ///
  /// It shows that a released migration was edited by accident; it is no protection against forgery. Line
  /// endings are left out, since a checkout may change them.
  package let checksum: String

  /// A step that runs `sql`.
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
