// What the seal of a session says of what is left of it beside its events.
extension SalvagedSession {
  /// How much of it is as it was sealed.
  enum Sealed {
    case nothing
    /// What is sealed while a session goes on: the session, what it lost, and its clock.
    case session
    /// And what is sealed when it is over: its counts and its controllers.
    case whole
  }

  /// How much is as it was sealed; a bit of the seal itself may be flipped.
  var sealed: Sealed {
    guard let seal, record.ended != nil else { return .nothing }
    let parts = [SessionSeal.part(record), lossPart, anchorPart, countPart, controllerPart]
    guard Self.agree(seal, parts.reduce(0, &+)) else { return .nothing }
    return record.ended == .open ? .session : .whole
  }

  private static func agree(_ one: UInt64, _ other: UInt64) -> Bool {
    (one ^ other).nonzeroBitCount < 2
  }

  private var lossPart: UInt64 {
    losses.reduce(0) { $0 &+ SessionSeal.part($1, first: record.firstSeq) }
  }

  private var anchorPart: UInt64 {
    anchors.reduce(0) { $0 &+ SessionSeal.part($1) }
  }

  private var countPart: UInt64 {
    SessionSeal.part(
      observed: record.observed, payloadsLeftOut: payloadsLeftOut,
      record.ended)
  }

  private var controllerPart: UInt64 {
    controllers.enumerated().reduce(0) {
      $0 &+ SessionSeal.part($1.element, ordinal: $1.offset, record.ended)
    }
  }
}

// Bits that were flipped in what is sealed.
extension SalvagedSession {
  /// Of no more controllers, losses and readings of the clock each bit is tried: of a file that has
  /// more, a stranger may have seen to it.
  private static let mostTried = 2_000
  /// What a number that is tried takes, as hashed bytes.
  private static let numberBytes = 32

  /// A controller before a bit was flipped in it with which its hashes are right.
  typealias ControllerMend = (
    ControllerRecord, _ isRight: (SessionSeal.ControllerHashes) -> Bool
  ) -> ControllerRecord?

  /// Puts the one bit back with which the seal is right; nothing if there is none.
  mutating func mend(_ budget: MendBudget, _ controller: ControllerMend) {
    guard let seal else { return }
    guard record.ended != nil else { return mendEnd() }
    let parts = [
      SessionSeal.part(record), lossPart, anchorPart, countPart, controllerPart,
    ]
    let missing = seal &- parts.reduce(0, &+)
    // One bit: where one is put back, there is none in the rest.
    if mendRecord(parts[0] &+ missing, budget) || mendCounts(parts[3] &+ missing)
      || mendLosses(missing, budget) || mendAnchors(missing, budget)
    {
      return
    }
    if record.ended != .open { mendControllers(missing, controller) }
  }

  private mutating func mendEnd() {
    for end in SessionEnd.allCases {
      record.ended = end
      if sealed != .nothing { return }
    }
    record.ended = nil
  }

  private mutating func mendRecord(_ wanted: UInt64, _ budget: MendBudget) -> Bool {
    let (before, ended) = (record, record.ended)
    let texts = [\SessionRecord.uuid, \.app, \.appVersion, \.os]
    let hashes = texts.map { ContentHash.text(before[keyPath: $0]) }
    func isRight(_ record: SessionRecord, _ hashes: [UInt64]) -> Bool {
      SessionSeal.part(seed: record.chainSeed(hashes), ended) == wanted
    }
    for bit in 0..<64 {
      var flipped = before
      flipped.wallTime ^= 1 << bit
      if isRight(flipped, hashes) {
        record = flipped
        return true
      }
      guard bit < 32 else { continue }
      flipped = before
      flipped.pid ^= 1 << bit
      if isRight(flipped, hashes) {
        record = flipped
        return true
      }
    }
    for (index, text) in texts.enumerated() {
      let mended = before[keyPath: text].mended(budget) { hash in
        var hashes = hashes
        hashes[index] = hash
        return isRight(before, hashes)
      }
      guard let mended else { continue }
      record[keyPath: text] = mended
      return true
    }
    return false
  }

  private mutating func mendCounts(_ wanted: UInt64) -> Bool {
    let (observed, leftOut) = (record.observed, payloadsLeftOut)
    for bit in 0..<64 {
      record.observed = observed ^ 1 << bit
      if countPart == wanted { return true }
      record.observed = observed
      payloadsLeftOut = leftOut ^ 1 << bit
      if countPart == wanted { return true }
      payloadsLeftOut = leftOut
    }
    return false
  }

  private mutating func mendLosses(_ missing: UInt64, _ budget: MendBudget) -> Bool {
    let first = record.firstSeq
    for index in losses.indices.prefix(Self.mostTried) {
      let loss = losses[index]
      let reason = ContentHash.text(loss.reason)
      let wanted = SessionSeal.part(loss, reason: reason, first: first) &+ missing
      for bit in 0..<48 {
        for number in [\LossRecord.firstSeq, \.lastSeq, \.count] {
          guard budget.take(Self.numberBytes) else { return false }
          var flipped = loss
          flipped[keyPath: number] ^= 1 << bit
          guard SessionSeal.part(flipped, reason: reason, first: first) == wanted else { continue }
          losses[index] = flipped
          return true
        }
      }
      let mended = loss.reason.mended(budget) {
        SessionSeal.part(loss, reason: $0, first: first) == wanted
      }
      guard let mended else { continue }
      losses[index].reason = mended
      return true
    }
    return false
  }

  private mutating func mendAnchors(_ missing: UInt64, _ budget: MendBudget) -> Bool {
    for index in anchors.indices.prefix(Self.mostTried) {
      let anchor = anchors[index]
      let wanted = SessionSeal.part(anchor) &+ missing
      for bit in 0..<64 {
        for number in [\AnchorRecord.time, \.wallTime] {
          guard budget.take(Self.numberBytes) else { return false }
          var flipped = anchor
          flipped[keyPath: number] ^= 1 << bit
          guard SessionSeal.part(flipped) == wanted else { continue }
          anchors[index] = flipped
          return true
        }
      }
    }
    return false
  }

  private mutating func mendControllers(_ missing: UInt64, _ mended: ControllerMend) {
    for index in controllers.indices.prefix(Self.mostTried) {
      let wanted =
        SessionSeal.part(controllers[index], ordinal: index, record.ended) &+ missing
      let right = mended(controllers[index]) { SessionSeal.part($0, ordinal: index) == wanted }
      guard let right else { continue }
      controllers[index] = right
      return
    }
  }
}
