import Testing

@testable import StatyHistory

/// Flipped bits are looked for as long as it is worth it, in a whole file together.
@Suite struct MendBudgetTests {
  private func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(ContentHash.bytes) }

  @Test func `the one bit is found wherever it is`() {
    let whole = Array("a text of some letters, and more".utf8)
    for bit in 0..<8 * whole.count {
      var bytes = whole
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(bytes.flipBit(MendBudget()) { $0 == hash(whole) } && bytes == whole)
    }
  }

  @Test func `where there is none all is as it was`() {
    var bytes = Array("a text".utf8)
    #expect(!bytes.flipBit(MendBudget()) { _ in false } && bytes == Array("a text".utf8))
    // What comes out is no text.
    #expect("a".mended(MendBudget()) { $0 == hash([0xe1]) } == nil)
    #expect("a".mended(MendBudget()) { $0 == hash([0x63]) } == "c")
  }

  @Test func `it ends when what may be hashed is used up, and then tries nothing`() {
    let budget = MendBudget(bytes: 100)
    var (bytes, tried) = ([UInt8](repeating: 0, count: 10), 0)
    let wanted = bytes
    #expect(
      !bytes.flipBit(budget) { _ in
        tried += 1
        return false
      })
    #expect(tried == 10 && bytes == wanted)
    #expect(!budget.take(1))
    #expect(!bytes.flipBit(budget) { _ in true })
  }

  @Test func `in a text that is too long none is looked for`() {
    var bytes = [UInt8](repeating: 0, count: MendBudget.longestText + 1)
    #expect(!bytes.flipBit(MendBudget()) { _ in true })
  }

  @Test func `what was looked for in a run is known`() {
    let budget = MendBudget()
    var asked = 0
    for _ in 0..<3 {
      let found = budget.mend(7) {
        asked += 1
        return nil
      }
      #expect(found == nil && asked == 1)
    }
  }
}
