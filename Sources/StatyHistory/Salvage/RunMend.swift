/// The one bit whose flipping back makes the checksum of a run right.
///
/// Of all bits that a run has, the chance that a wrong one does so is one in 10,000,000,000,000.
struct RunMend {
  private(set) var rows: [EventRow]
  private(set) var details: [Int64: EventDetail]
  private(set) var seq: Int64 = 0

  /// What a row that is tried takes, as hashed bytes: it is copied, too, and looked up in tables.
  private static let rowBytes = 128

  init?(
    _ rows: [EventRow], _ details: [Int64: EventDetail], _ hashes: ContentHashes, _ first: Int64,
    _ wanted: UInt64, _ budget: MendBudget
  ) {
    (self.rows, self.details) = (rows, details)
    // Each text and payload is hashed once.
    let extras = details.mapValues { hashes.hash($0, first: first) }
    func extra(_ seq: Int64) -> UInt64? { extras[seq] ?? 0 }
    // What cannot be hashed at all is the only one that can have been damaged.
    var unhashed: [Int] = []
    var total: UInt64 = 0
    for (index, row) in rows.enumerated() {
      if let hash = hashes.hash(row, first: first), let extra = extra(row.seq) {
        total &+= hash &+ extra
      } else {
        unhashed.append(index)
      }
    }
    guard unhashed.count < 2 else { return nil }
    let suspects = unhashed.isEmpty ? Array(rows.indices) : unhashed
    /// What the hashes of this event and of its detail have to add up to.
    func own(_ index: Int) -> UInt64 {
      let row = rows[index]
      return wanted &- total
        &+ (unhashed.isEmpty ? (hashes.hash(row, first: first) ?? 0) &+ (extra(row.seq) ?? 0) : 0)
    }
    for index in suspects {
      let own = own(index)
      func isRight(_ row: EventRow) -> Bool {
        guard let extra = extra(row.seq), let hash = hashes.hash(row, first: first) else {
          return false
        }
        return hash &+ extra == own
      }
      for row in Self.flips(of: rows[index]) {
        guard budget.take(Self.rowBytes) else { return nil }
        guard isRight(row) else { continue }
        take(row, at: index)
        return
      }
    }
    for index in suspects {
      guard let detail = details[rows[index].seq], let hash = hashes.hash(rows[index], first: first)
      else { continue }
      let wanted = own(index) &- hash
      guard let found = Self.mended(detail, hashes, first, wanted, budget) else { continue }
      self.details[detail.seq] = found
      seq = detail.seq
      return
    }
    return nil
  }

  private mutating func take(_ row: EventRow, at index: Int) {
    rows[index] = row
    // It may be the number that was flipped.
    rows.sort { $0.seq < $1.seq }
    seq = row.seq
  }

  /// The same event under other numbers.
  private static func moved(_ row: EventRow) -> some Sequence<EventRow> {
    (0..<40).lazy.map { bit in
      row.with {
        $0.seq ^= 1 << bit
        if row.inside != 0 { $0.inside = $0.seq &- (row.seq &- row.inside) }
        if row.ownCause != 0 { $0.ownCause = $0.seq &- row.causeDistance }
      }
    }
  }

  private static func flips(of row: EventRow) -> some Sequence<EventRow> {
    let time = (0..<48).lazy.map { bit in row.with { $0.time ^= 1 << bit } }
    let places = (0..<50).lazy.map { bit in row.with(place: row.place ^ 1 << bit, row.reference) }
    let references = (0..<48).lazy.map { bit in
      row.with(place: row.place, row.reference ^ 1 << bit)
    }
    let numbers = (0..<32).lazy.flatMap { bit in
      [
        row.with { $0.visit ^= 1 << bit }, row.with { $0.state ^= 1 << bit },
        row.with { $0.controller ^= 1 << bit },
        row.with {
          switch bit {
          case ..<5: $0.kind ^= 1 << bit
          case ..<8: $0.reason ^= 1 << (bit - 5)
          default: break
          }
        },
        row.with { if bit < 6 { $0.thread ^= 1 << bit } },
      ]
    }
    return [
      AnySequence(time), AnySequence(places), AnySequence(references), AnySequence(numbers),
      AnySequence(moved(row)),
    ].lazy.joined()
  }

  /// The detail whose hash is this, before a bit was flipped in it.
  private static func mended(
    _ detail: EventDetail, _ hashes: ContentHashes, _ first: Int64, _ wanted: UInt64,
    _ budget: MendBudget
  ) -> EventDetail? {
    let (note, payload) = (detail.noteHash, detail.payloadHash)
    for flipped in numbers(of: detail) {
      guard budget.take(rowBytes) else { return nil }
      let hash = hashes.hash(flipped, first: first, note: note, payload: payload)
      if hash == wanted { return flipped }
    }
    guard let numbers = hashes.hash(numbersOf: detail, first: first) else { return nil }
    if var bytes = detail.payload {
      let before = ContentHash.fold(numbers, note)
      if bytes.flipBit(budget, { ContentHash.fold(before, $0) == wanted }) {
        return detail.with { $0.payload = bytes }
      }
    }
    let text = detail.note?.mended(budget) {
      ContentHash.fold(ContentHash.fold(numbers, $0), payload) == wanted
    }
    return text.map { text in detail.with { $0.note = text } }
  }

  private static func numbers(of detail: EventDetail) -> some Sequence<EventDetail> {
    (0..<64).lazy.flatMap { bit in
      var flips = [detail.with { $0.answers ^= 1 << bit }]
      guard bit < 32 else { return flips }
      flips.append(detail.with { $0.instance ^= 1 << bit })
      flips.append(detail.with { $0.origin ^= 1 << bit })
      flips.append(detail.with { $0.priority ^= 1 << bit })
      flips.append(detail.with { $0.step ^= 1 << bit })
      flips.append(detail.with { $0.equality = $0.equality.map { $0 ^ 1 << bit } })
      return flips
    }
  }
}

extension EventRow {
  /// The same row with other values in two of its columns.
  fileprivate func with(place: Int64, _ reference: Int64) -> EventRow {
    EventRow(
      seq: seq, time: time, what: what, visit: Int64(visit), state: Int64(state), place: place,
      reference: reference)
  }

  fileprivate func with(_ change: (inout EventRow) -> Void) -> EventRow {
    var row = self
    change(&row)
    return row
  }
}

extension EventDetail {
  fileprivate func with(_ change: (inout EventDetail) -> Void) -> EventDetail {
    var detail = self
    change(&detail)
    return detail
  }
}
