/// The content of one file on the disk, and the calls since its last sync.
struct FileImage {
  /// The content after a loss of power; `nil` if the file may not exist.
  private(set) var durable: [UInt8]?
  private var changes: [Change] = []

  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)
    case delete
  }

  init(durable: [UInt8]?) {
    self.durable = durable
  }

  var isSettled: Bool { changes.isEmpty }

  mutating func write(_ bytes: [UInt8], at offset: Int) {
    changes.append(.write(offset: offset, bytes: bytes))
  }

  mutating func truncate(to size: Int) {
    changes.append(.truncate(size: size))
  }

  mutating func delete() {
    changes.append(.delete)
  }

  /// Drops the calls since the last sync.
  mutating func forget() {
    changes = []
  }

  mutating func sync() {
    var file = durable
    for change in changes { Self.carryOut(change, &file) }
    durable = file ?? []
    changes = []
  }

  /// Makes a deletion, and the calls before it, as durable as the directory.
  mutating func settleDeletion() {
    let deletion = changes.lastIndex { if case .delete = $0 { true } else { false } }
    guard let deletion else { return }
    durable = nil
    changes.removeSubrange(...deletion)
  }

  // Disks write whole sectors, in any order.
  private static let sector = 512

  /// A possible content after a loss of power at this moment; `nil` for no file.
  func afterPowerLoss(_ random: inout some RandomNumberGenerator) -> [UInt8]? {
    var file = durable
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      break
    case 1:
      for change in changes { Self.carryOut(change, &file) }
    case 2:
      for change in changes.prefix(Int.random(in: 0...changes.count, using: &random)) {
        Self.carryOut(change, &file)
      }
    case 3:
      let kept = Int.random(in: 0...changes.count, using: &random)
      for change in changes.prefix(kept) { Self.carryOut(change, &file) }
      for change in changes.dropFirst(kept).prefix(1) { Self.tear(change, &file, &random) }
    default:
      let share = [0.05, 0.5, 0.95].randomElement(using: &random)!
      for change in changes { Self.scatter(change, &file, share, &random) }
    }
    return file
  }

  private static func carryOut(_ change: Change, _ file: inout [UInt8]?) {
    switch change {
    case .write(let offset, let bytes): put(bytes[...], at: offset, &file)
    case .truncate(let size): resize(&file, to: size)
    case .delete: file = nil
    }
  }

  /// Does a random first part of a change.
  private static func tear(
    _ change: Change, _ file: inout [UInt8]?, _ random: inout some RandomNumberGenerator
  ) {
    guard case .write(let offset, let bytes) = change else { return }
    let kept = Int.random(in: 0...bytes.count, using: &random)
    put(bytes[..<kept], at: offset, &file)
    // The sector that was being written can have any content.
    let end = min(bytes.count, (kept / sector + 1) * sector)
    let noise = (kept..<end).map { _ in UInt8.random(in: 0...255, using: &random) }
    if Bool.random(using: &random) { put(noise[...], at: offset + kept, &file) }
  }

  /// Does a change for some sectors and not for others.
  private static func scatter(
    _ change: Change, _ file: inout [UInt8]?, _ share: Double,
    _ random: inout some RandomNumberGenerator
  ) {
    guard case .write(let offset, let bytes) = change else {
      if Double.random(in: 0..<1, using: &random) < share { carryOut(change, &file) }
      return
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, ((offset + start) / sector + 1) * sector - offset)
      if Double.random(in: 0..<1, using: &random) < share {
        put(bytes[start..<end], at: offset + start, &file)
      }
      start = end
    }
  }

  private static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, _ file: inout [UInt8]?) {
    if (file?.count ?? 0) < offset + bytes.count { resize(&file, to: offset + bytes.count) }
    bytes.withUnsafeBytes { bytes in
      file?.withUnsafeMutableBytes { file in
        UnsafeMutableRawBufferPointer(rebasing: file[offset...]).copyMemory(from: bytes)
      }
    }
  }

  private static func resize(_ file: inout [UInt8]?, to size: Int) {
    var bytes = file ?? []
    if bytes.count > size { bytes.removeLast(bytes.count - size) }
    bytes += [UInt8](repeating: 0, count: size - bytes.count)
    file = bytes
  }
}
