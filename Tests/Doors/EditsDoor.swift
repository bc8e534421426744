import StatyReplay

enum EditsDoor {
  /// Edits that are understood say of themselves what was meant.
  static func open(_ bytes: [UInt8]) throws {
    let edits: [Edit]
    do throws(EditError) {
      edits = try Edit.script(String(decoding: bytes, as: UTF8.self))
    } catch {
      guard !"\(error)".isEmpty else { throw Broken("refused without a reason") }
      return
    }
    let said = edits.map(\.description).joined(separator: "\n")
    guard let again = try? Edit.script(said), again == edits else {
      throw Broken("\(edits) says of itself: \(said)")
    }
  }
}
