import Synchronization

/// The name of a state.
///
/// Names are interned: equal names are one pointer. Creating a name from a string costs a look-up.
/// Comparing, hashing and copying a name are as cheap as for an integer. A name that is written as
/// a literal is found by the literal's address.
///
/// Names are never freed. Use a limited set of names (`detail`, not `detail of item 4711`), and put
/// what varies into the payload.
public struct StateName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  // Sendable: the entry is written before its address is published and never changed or freed.
  @usableFromInline nonisolated(unsafe) let entry: UnsafePointer<InternedName>

  /// Creates the name with a text.
  public init(_ text: String) {
    entry = NameTable.shared.intern(text)
  }

  /// Creates the name that is written as a literal.
  public init(stringLiteral literal: StaticString) {
    guard literal.hasPointerRepresentation else {
      self.init(literal.description)
      return
    }
    self.init(cachedAt: UInt(bitPattern: literal.utf8Start), length: literal.utf8CodeUnitCount) {
      literal.description
    }
  }

  /// Creates the name of a type, without generic arguments: `LoadingState<CheckoutView>` is named
  /// `LoadingState`.
  public init(of type: any Any.Type) {
    self.init(cachedAt: UInt(bitPattern: ObjectIdentifier(type)), length: -1) {
      String(String(describing: type).prefix { $0 != "<" })
    }
  }

  /// The text of the name.
  public var description: String { entry.pointee.text }

  /// A small number that identifies the name in this process.
  // Inlinable, because a recorder reads it on every event.
  @inlinable package var id: Int { entry.pointee.id }

  public static func == (one: StateName, other: StateName) -> Bool {
    one.entry == other.entry
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(entry)
  }
}

extension StateName {
  /// The cached name for an address; `nil` if there is none.
  init?(cachedAt address: UInt, length: Int) {
    guard let known = AddressCache.shared.name(at: address, length: length) else { return nil }
    self = known
  }

  init(cachedAt address: UInt, length: Int, text: () -> String) {
    if let known = AddressCache.shared.name(at: address, length: length) {
      self = known
    } else {
      self.init(text())
      AddressCache.shared.remember(self, at: address, length: length)
    }
  }

  fileprivate init(entry: UnsafePointer<InternedName>) {
    self.entry = entry
  }
}

/// The interned text of a name.
@usableFromInline
struct InternedName {
  let text: String
  @usableFromInline let id: Int
}

/// Every name of the process.
private final class NameTable: Sendable {
  static let shared = NameTable()

  // Sendable: the entries are never changed or freed.
  private struct Entries: @unchecked Sendable {
    var byText: [String: UnsafePointer<InternedName>] = [:]
  }

  private let entries = Mutex(Entries())

  func intern(_ text: String) -> UnsafePointer<InternedName> {
    entries.withLock { entries in
      if let known = entries.byText[text] { return known }
      let entry = UnsafeMutablePointer<InternedName>.allocate(capacity: 1)
      entry.initialize(to: InternedName(text: text, id: entries.byText.count))
      entries.byText[text] = UnsafePointer(entry)
      return UnsafePointer(entry)
    }
  }
}

/// Names by the address of their literal or type, found without a lock.
///
/// A slot points to an entry that is never changed or freed, so a reader always sees a complete
/// entry. The entry contains its address. An address that finds its slots taken is not cached and
/// costs a look-up each time. Entries are never replaced, so the number of slots bounds the memory.
private final class AddressCache: Sendable {
  static let shared = AddressCache()

  private struct Entry {
    let address: UInt
    let length: Int
    let name: StateName
  }

  private static let slotCount = 1024
  // Sendable: the array of atomics is allocated once and never freed.
  nonisolated(unsafe) private let slots: UnsafeMutablePointer<Atomic<UInt>>

  private init() {
    slots = .allocate(capacity: Self.slotCount)
    for slot in 0..<Self.slotCount { (slots + slot).initialize(to: Atomic(0)) }
  }

  func name(at address: UInt, length: Int) -> StateName? {
    for slot in slots(of: address) {
      let found = self.slots[slot & (Self.slotCount - 1)].load(ordering: .acquiring)
      guard let entry = UnsafePointer<Entry>(bitPattern: found) else { return nil }
      if entry.pointee.address == address, entry.pointee.length == length {
        return entry.pointee.name
      }
    }
    return nil
  }

  func remember(_ name: StateName, at address: UInt, length: Int) {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    entry.initialize(to: Entry(address: address, length: length, name: name))
    for slot in slots(of: address) {
      let (exchanged, _) = self.slots[slot & (Self.slotCount - 1)].compareExchange(
        expected: 0, desired: UInt(bitPattern: entry), ordering: .releasing)
      if exchanged { return }
    }
    entry.deallocate()
  }

  /// The slots that a name may use; it takes the first free one.
  private func slots(of address: UInt) -> Range<Int> {
    let first = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 54)
    return first..<first + 4
  }
}
