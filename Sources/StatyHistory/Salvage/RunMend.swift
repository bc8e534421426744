/// The one bit whose flipping back makes the checksum of a run right.
///
/// Of all bits that a run has, the chance that a wrong one does so is one in 10,000,000,000,000.
struct RunMend {
  private(set) var rows: [EventRow]
  private(set) var details: [Int64: EventDetail]
  private(set) var seq: Int64 = 0

  init?(
    _ rows: [EventRow], _ details: [Int64: EventDetail], _ hashes: ContentHashes, _ first: Int64,
    _ wanted: UInt64
  ) {
    (self.rows, self.details) = (rows, details)
    // What cannot be hashed at all is the only one that can have been damaged.
    var unhashed: [Int] = []
    var total: UInt64 = 0
    for (index, row) in rows.enumerated() {
      let extra = details[row.seq].map { hashes.hash($0, first: first) } ?? 0
      if let hash = hashes.hash(row, first: first), let extra {
        total &+= hash &+ extra
      } else {
        unhashed.append(index)
      }
    }
    guard unhashed.count < 2 else { return nil }
    for index in unhashed.isEmpty ? Array(rows.indices) : unhashed {
      let detail = details[rows[index].seq]
      let extra = detail.map { hashes.hash($0, first: first) } ?? 0
      let hash = hashes.hash(rows[index], first: first)
      // What the hashes of this event and of its detail have to add up to.
      let own = wanted &- total &+ (unhashed.isEmpty ? (hash ?? 0) &+ (extra ?? 0) : 0)
      if let extra,
        let row = Self.flips(of: rows[index]).first(where: {
          hashes.hash($0, first: first).map { $0 &+ extra == own } ?? false
        })
      {
        self.rows[index] = row
        seq = row.seq
        return
      }
      if let row = Self.moved(rows[index], details).first(where: {
        let extra = details[$0.seq].map { hashes.hash($0, first: first) } ?? 0
        guard let extra, let hash = hashes.hash($0, first: first) else { return false }
        return hash &+ extra == own
      }) {
        self.rows[index] = row
        self.rows.sort { $0.seq < $1.seq }
        seq = row.seq
        return
      }
      if let hash, let detail,
        let other = Self.flips(of: detail).first(where: {
          hashes.hash($0, first: first).map { $0 &+ hash == own } ?? false
        })
      {
        self.details[detail.seq] = other
        seq = detail.seq
        return
      }
    }
    return nil
  }

  /// The same event under other numbers.
  private static func moved(
    _ row: EventRow, _ details: [Int64: EventDetail]
  ) -> some Sequence<EventRow> {
    (0..<40).lazy.map { bit in
      row.with {
        $0.seq ^= 1 << bit
        $0.cause = row.back == 0 ? 0 : $0.seq &- row.back
      }
    }
  }

  private static func flips(of row: EventRow) -> some Sequence<EventRow> {
    let time = (0..<48).lazy.map { bit in row.with { $0.time ^= 1 << bit } }
    let back = (0..<48).lazy.map { bit in row.with { $0.cause = $0.seq &- ($0.back ^ 1 << bit) } }
    let numbers = (0..<32).lazy.flatMap { bit in
      [
        row.with { $0.visit ^= 1 << bit }, row.with { $0.state ^= 1 << bit },
        row.with { $0.site ^= 1 << bit }, row.with { $0.controller ^= 1 << bit },
        row.with {
          switch bit {
          case ..<4: $0.kind ^= 1 << bit
          case ..<7: $0.reason ^= 1 << (bit - 4)
          case 7: $0.isHeard.toggle()
          default: break
          }
        },
        row.with { if bit < 6 { $0.thread ^= 1 << bit } },
      ]
    }
    return [AnySequence(time), AnySequence(back), AnySequence(numbers)].lazy.joined()
  }

  private static func flips(of detail: EventDetail) -> some Sequence<EventDetail> {
    let payload = detail.payload ?? []
    let note = Array((detail.note ?? "").utf8)
    let bytes = (0..<8 * payload.count).lazy.map { bit in
      detail.with { $0.payload?[bit / 8] ^= 1 << UInt8(bit % 8) }
    }
    let letters = (0..<8 * note.count).lazy.compactMap { bit -> EventDetail? in
      var flipped = note
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let text = String(validating: flipped, as: UTF8.self) else { return nil }
      return detail.with { $0.note = text }
    }
    return [AnySequence(numbers(of: detail)), AnySequence(bytes), AnySequence(letters)].lazy
      .joined()
  }

  private static func numbers(of detail: EventDetail) -> some Sequence<EventDetail> {
    (0..<64).lazy.flatMap { bit in
      var flips = [detail.with { $0.answers ^= 1 << bit }]
      guard bit < 32 else { return flips }
      flips.append(detail.with { $0.instance ^= 1 << bit })
      flips.append(detail.with { $0.origin ^= 1 << bit })
      flips.append(detail.with { $0.priority ^= 1 << bit })
      flips.append(detail.with { $0.equality = $0.equality.map { $0 ^ 1 << bit } })
      return flips
    }
  }
}

extension EventRow {
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
