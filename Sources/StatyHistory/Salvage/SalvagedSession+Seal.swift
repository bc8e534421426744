// What the seal of a session says of what is left of it beside its events.
extension SalvagedSession {
  /// How much of it is as it was sealed.
  enum Sealed: Comparable {
    case nothing
    /// The session, how it ended, what it lost, and its clock.
    case session
    /// And how many numbers it had drawn and payloads left out.
    case counts
    /// And its controllers.
    case controllers
  }

  /// How much is as it was sealed; a bit of the seal itself may be flipped.
  var sealed: Sealed {
    guard let seal, record.ended != nil else { return .nothing }
    let told = SessionSeal.part(record) &+ lossPart &+ anchorPart
    let counted = told &+ countPart
    // While a session goes on its controllers are not sealed, and those of old ones never were.
    let isOver = record.ended != .open
    if isOver, Self.agree(seal, counted &+ controllerPart) { return .controllers }
    if isOver, Self.agree(seal, counted) { return .counts }
    return Self.agree(seal, told) ? .session : .nothing
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

  /// Puts the one bit back with which the seal is right; nothing if there is none.
  ///
  /// - Parameter others: what a controller may have said before a bit was flipped in it.
  mutating func mend(_ others: (ControllerRecord) -> [ControllerRecord]) {
    guard let seal else { return }
    guard record.ended != nil else { return mendEnd() }
    let parts = [
      SessionSeal.part(record), lossPart, anchorPart, countPart, controllerPart,
    ]
    let missing = seal &- parts.reduce(0, &+)
    mendRecord(parts[0] &+ missing)
    mendCounts(parts[3] &+ missing)
    mendLosses(missing)
    mendAnchors(missing)
    if record.ended != .open { mendControllers(missing, others) }
  }

  private mutating func mendEnd() {
    for end in SessionEnd.allCases {
      record.ended = end
      if sealed != .nothing { return }
    }
    record.ended = nil
  }

  private mutating func mendRecord(_ wanted: UInt64) {
    let record = record
    func isRight(_ record: SessionRecord) -> Bool { SessionSeal.part(record) == wanted }
    for text in [\SessionRecord.uuid, \.app, \.appVersion, \.os] {
      for flipped in record[keyPath: text].flips {
        self.record[keyPath: text] = flipped
        if isRight(self.record) { return }
      }
      self.record = record
    }
    for bit in 0..<64 {
      self.record.wallTime = record.wallTime ^ 1 << bit
      if isRight(self.record) { return }
      self.record = record
      if bit < 32 { self.record.pid ^= 1 << bit }
      if isRight(self.record) { return }
      self.record = record
    }
  }

  private mutating func mendCounts(_ wanted: UInt64) {
    let (observed, leftOut) = (record.observed, payloadsLeftOut)
    for bit in 0..<64 {
      record.observed = observed ^ 1 << bit
      if countPart == wanted { return }
      record.observed = observed
      payloadsLeftOut = leftOut ^ 1 << bit
      if countPart == wanted { return }
      payloadsLeftOut = leftOut
    }
  }

  private mutating func mendLosses(_ missing: UInt64) {
    let first = record.firstSeq
    for index in losses.indices.prefix(Self.mostTried) {
      let loss = losses[index]
      let wanted = SessionSeal.part(loss, first: first) &+ missing
      var flips = loss.reason.flips.map { text in
        LossRecord(firstSeq: loss.firstSeq, lastSeq: loss.lastSeq, count: loss.count, reason: text)
      }
      for bit in 0..<48 {
        for number in [\LossRecord.firstSeq, \.lastSeq, \.count] {
          var flipped = loss
          flipped[keyPath: number] ^= 1 << bit
          flips.append(flipped)
        }
      }
      guard let right = flips.first(where: { SessionSeal.part($0, first: first) == wanted }) else {
        continue
      }
      losses[index] = right
      return
    }
  }

  private mutating func mendAnchors(_ missing: UInt64) {
    for index in anchors.indices.prefix(Self.mostTried) {
      let anchor = anchors[index]
      let wanted = SessionSeal.part(anchor) &+ missing
      for bit in 0..<64 {
        for number in [\AnchorRecord.time, \.wallTime] {
          var flipped = anchor
          flipped[keyPath: number] ^= 1 << bit
          guard SessionSeal.part(flipped) == wanted else { continue }
          anchors[index] = flipped
          return
        }
      }
    }
  }

  private mutating func mendControllers(
    _ missing: UInt64, _ others: (ControllerRecord) -> [ControllerRecord]
  ) {
    for index in controllers.indices.prefix(Self.mostTried) {
      let controller = controllers[index]
      func part(_ one: ControllerRecord) -> UInt64 {
        SessionSeal.part(one, ordinal: index, record.ended)
      }
      let wanted = part(controller) &+ missing
      guard let right = others(controller).first(where: { part($0) == wanted }) else { continue }
      controllers[index] = right
      return
    }
  }
}

extension String {
  /// The texts that this one may have been before one bit was flipped in it.
  fileprivate var flips: some Sequence<String> { Array(utf8).flips }
}

extension [UInt8] {
  /// The texts that these bytes may have been before one bit was flipped in them; none if they are so
  /// many that trying each would take whoever salvages a stranger's file too long.
  var flips: some Sequence<String> {
    (0..<(count <= 4_096 ? 8 * count : 0)).lazy.compactMap { bit in
      var flipped = self
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      return String(validating: flipped, as: UTF8.self)
    }
  }
}
