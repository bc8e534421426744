import Staty

/// The hash function of the checksum chain.
///
/// It detects accidents: flipped bits, and rows that were edited, lost or invented. It is no
/// protection against forgery. It is part of the file format: the hash of a content must never
/// change.
package enum ContentHash {
  private static let left: UInt64 = 0x9e37_79b9_7f4a_7c15
  private static let right: UInt64 = 0xd1b5_4a32_d192_ed03

  /// Two numbers mixed into one; their order matters.
  ///
  /// One multiplication to 128 bits, both halves taken together.
  @inline(__always)
  package static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = (one ^ left).multipliedFullWidth(by: other ^ right)
    return product.high ^ product.low
  }

  /// The hash of these bytes; never 0, which stands for "none".
  package static func bytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = fold(UInt64(bytes.count), 0)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      hash = fold(hash, word)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return max(1, fold(hash, rest))
  }

  /// The hash of a text's UTF-8; never 0.
  package static func text(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of a place in the code; never 0.
  package static func site(file: String, line: Int64) -> UInt64 {
    max(1, fold(text(file), UInt64(bitPattern: line)))
  }
}

/// The hashes of numbered things in the file: names, places, controllers.
///
/// Number 0 is "none" and has the hash 0; so has a number that stands for nothing.
package struct NumberedHashes {
  private var dense: [UInt64] = [0]
  // For the numbers of a file that is damaged, or was made to need much memory.
  private var sparse: [Int32: UInt64] = [:]
  private static let denseLimit = 1 << 22

  @inline(__always)
  package subscript(number: Int32) -> UInt64 {
    let index = Int(UInt32(bitPattern: number))
    return index < dense.count ? dense[index] : beyond(number)
  }

  @inline(never)
  private func beyond(_ number: Int32) -> UInt64 {
    sparse[number] ?? 0
  }

  package mutating func set(_ number: Int32, to hash: UInt64) {
    let index = Int(UInt32(bitPattern: number))
    if index == dense.count, index < Self.denseLimit {
      dense.append(hash)
    } else if index > 0, index < dense.count {
      dense[index] = hash
    } else if index > 0 {
      sparse[number] = hash
    }
  }
}

/// The hashes of what the numbers in rows stand for, so that a row's hash covers its content.
///
/// Two files with the same content under other numbers have the same hashes. Names and places count
/// with their texts, an event with its distance from the session's beginning, its cause and its
/// place with their distances from it, and a controller with its name and its place among those of
/// its session.
package struct ContentHashes {
  package var names = NumberedHashes()
  package var sites = NumberedHashes()
  private var controllers = NumberedHashes()
  /// What the hash of a controller's `attached` event covers besides its row.
  private var attachments = NumberedHashes()

  package init() {}

  /// Adds a controller, the `ordinal`-th of its session from 0.
  package mutating func add(_ controller: ControllerRecord, ordinal: Int) {
    controllers.set(controller.id, to: max(1, controller.nameHash(ordinal: ordinal)))
    attachments.set(controller.id, to: max(1, controller.contentHash))
  }

  /// The hash of a controller, whatever its number; 0 if it is not known.
  package func controller(_ number: Int32) -> UInt64 { controllers[number] }

  /// The hash of a row in a session that begins with number `first`; none if the row holds a
  /// number that stands for nothing.
  @inline(__always)
  package func hash(_ row: borrowing EventRow, first: Int64) -> UInt64? {
    let state = names[row.state]
    let isRequest = row.kind == EventKind.enqueued.rawValue
    let reference = isRequest ? sites[row.site] : UInt64(bitPattern: row.causeDistance)
    let controller = controllers[row.controller]
    guard (state == 0) == (row.state == 0), (controller == 0) == (row.controller == 0)
    else { return nil }
    if isRequest, (reference == 0) != (row.site == 0) { return nil }
    let when = ContentHash.fold(
      UInt64(bitPattern: row.seq &- first), UInt64(bitPattern: row.time))
    let what = ContentHash.fold(
      UInt64(row.marks) << 32 | UInt64(row.visit), UInt64(bitPattern: row.place))
    let whose = ContentHash.fold(state, ContentHash.fold(reference, controller))
    let hash = ContentHash.fold(ContentHash.fold(when, what), whose)
    guard row.kind == EventKind.attached.rawValue else { return hash }
    return ContentHash.fold(hash, attachments[row.controller])
  }

  /// The hash of a detail; none if it holds a number that stands for nothing.
  package func hash(_ detail: EventDetail, first: Int64) -> UInt64? {
    var hash = ContentHash.fold(UInt64(bitPattern: detail.seq &- first), 1)
    for number in [detail.asked, detail.refusedFrom, detail.refusedNeeds] {
      let name = names[number]
      guard (name == 0) == (number == 0) else { return nil }
      hash = ContentHash.fold(hash, name)
    }
    hash = ContentHash.fold(hash, UInt64(detail.instance) << 32 | UInt64(detail.origin))
    hash = ContentHash.fold(hash, UInt64(UInt32(bitPattern: detail.priority)))
    hash = ContentHash.fold(hash, detail.equality.map(UInt64.init) ?? UInt64.max)
    hash = ContentHash.fold(hash, UInt64(detail.step))
    hash = ContentHash.fold(hash, UInt64(bitPattern: detail.age))
    hash = ContentHash.fold(hash, detail.answers)
    hash = ContentHash.fold(hash, UInt64(detail.objection) << 8 | UInt64(detail.refusal))
    hash = ContentHash.fold(hash, detail.note.map(ContentHash.text) ?? 0)
    return ContentHash.fold(
      hash, detail.payload.map { $0.withUnsafeBytes(ContentHash.bytes) } ?? 0)
  }
}

extension ControllerRecord {
  /// The hash of its name and its place among the controllers of its session.
  package func nameHash(ordinal: Int) -> UInt64 {
    ContentHash.fold(ContentHash.text(name), UInt64(ordinal))
  }

  /// The hash of everything else.
  package var contentHash: UInt64 {
    let policy = ContentHash.fold(
      ContentHash.text(policy), UInt64(fidelity) | UInt64(discipline) << 8)
    return ContentHash.fold(policy, ContentHash.text(snapshot))
  }
}
