import Staty
package import StatyHistory

/// Checks a session that is read as lines, and keeps only what the rules need.
package final class JudgedLines: LineStore {
  private var numbers: [String: Int32] = [:]
  package private(set) var names: [Int32: String] = [:]
  package private(set) var controllers: [ControllerRecord] = []
  package private(set) var losses: [LossRecord] = []
  private var checker: SessionChecker?
  /// A second checker, which treats ordered controllers as three-kind.
  ///
  /// Only the end of a hand-written log shows which of both is right.
  private var plain: SessionChecker?
  private var threeKind: Set<Int32> = []
  private var opening: SessionOpening?
  private var lastTime: Int64 = 0
  private var added = 0
  private var isNamed = true

  package init() {}

  /// The findings, as if the session ended here.
  package func findings() -> [Finding] {
    let ordered = found(&checker).filter { !threeKind.contains($0.controller) }
    if threeKind.isEmpty { return ordered.sorted() }
    return (ordered + found(&plain).filter { threeKind.contains($0.controller) }).sorted()
  }

  private func found(_ checker: inout SessionChecker?) -> [Finding] {
    guard var judge = checker else { return [] }
    // The checker has already noticed gaps before its events.
    for loss in losses where loss.firstSeq > judge.lastSeq { judge.lose(loss) }
    return judge.drain() + judge.findingsAtEnd(lastTime: lastTime)
  }

  /// Checks the next events.
  private func judge(_ rows: [EventRow], _ details: [EventDetail]) {
    begin()
    var details = details[...]
    for row in rows {
      lastTime = row.time
      while let detail = details.first, detail.seq < row.seq { details.removeFirst() }
      let detail = details.first.flatMap { $0.seq == row.seq ? $0 : nil }
      checker?.take(row, detail)
      plain?.take(row, detail)
    }
  }

  private func begin() {
    let first = opening?.firstSeq
    if checker == nil { checker = SessionChecker(session: 1, firstSeq: first) }
    if plain == nil, controllers.contains(where: { $0.fidelity == Fidelity.ordered.rawValue }) {
      plain = SessionChecker(session: 1, firstSeq: first)
    }
    while added < controllers.count {
      var controller = controllers[added]
      checker?.add(controller)
      if controller.fidelity == Fidelity.ordered.rawValue {
        controller.fidelity = Fidelity.threeKind.rawValue
        plain?.add(controller)
      }
      added += 1
      isNamed = false
    }
    if !isNamed, checker?.needsNames ?? false {
      checker?.learn(names: names)
      plain?.learn(names: names)
    }
    isNamed = true
  }
}

// MARK: Reading lines

extension JudgedLines {
  package func intern(name: String) -> Int32 {
    if let known = numbers[name] { return known }
    let number = Int32(numbers.count + 1)
    numbers[name] = number
    names[number] = name
    isNamed = false
    return number
  }

  package func restore(_ opening: SessionOpening, as id: Int64?) -> Int64 {
    self.opening = opening
    return 1
  }

  package func addController(
    session: Int64, name: String, policy: String, discipline: UInt8, fidelity: UInt8,
    snapshot: String
  ) -> Int32 {
    let id = Int32(controllers.count + 1)
    controllers.append(
      ControllerRecord(
        id: id, session: 1, name: name, policy: policy, discipline: discipline, fidelity: fidelity,
        snapshot: snapshot))
    return id
  }

  package func restore(_ rows: [EventRow], _ details: [EventDetail], of session: Int64) {
    judge(rows, details)
  }

  package func restore(_ losses: [LossRecord]) { self.losses += losses }

  package func rename(session: Int64, uuid: String?, threeKind controllers: [Int32]) {
    threeKind = Set(controllers)
  }
}
