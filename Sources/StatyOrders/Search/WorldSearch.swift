internal import COrders
internal import StatyReplay

/// The search for the outcomes of a test in a world: first the usual order, then those with one
/// deviation from it, then those with two, and so on; then random ones.
///
/// `DeviationPlans` says which plan comes next. A `WorldRun` runs the code once: whenever it stands still, `PossibleWays`
/// lists what can come, and the run's chooser, `PlannedOrder` or `RandomOrder`, takes one.
@MainActor package struct WorldSearch {
  private let options: WorldOptions
  private let body: World.Body
  private let (began, deadline): (ContinuousClock.Instant, ContinuousClock.Instant?)
  private var found = WorldOutcomes()
  private var ends: [WorldEnd] = []
  private var plans: [DeviationPlan] = []
  /// How many random orders were shortened whose outcome was known.
  private var detours = 0
  /// Whether texts of equal values are still compared.
  private var comparesTexts = true
  /// Why equal values are under doubt.
  private var alike: String?
  /// The actions that no order has made possible so far.
  private var undone: [String] = []
  /// Those that the usual order does not make possible.
  private var usuallyUndone: [String]?
  private var progress: ((Int) -> Void)?
  /// The time that other threads are still given.
  private var patience: Patience

  /// Whether tracks are followed in each run, and not only in those that are told.
  private let followsTracks: Bool

  package init(_ options: WorldOptions, followsTracks: Bool = false, _ body: @escaping World.Body) {
    (self.options, self.followsTracks, self.body) = (options, followsTracks, body)
    let now = ContinuousClock.now
    (began, deadline) = (now, options.time.map { now + $0 })
    patience = Patience(options.patience)
    (found.seed, found.wanted) = (options.seed, options.mostDeviations)
  }

  /// Searches until nothing is left or a limit is reached.
  ///
  /// - Parameters:
  ///   - allowed: the texts of the outcomes that are right; `nil` if that is not known.
  ///   - order: the only order to run, as an earlier search has named it.
  ///   - progress: told the number of orders from time to time.
  package mutating func run(
    allowed: [String]? = nil, repeating order: String? = nil, progress: ((Int) -> Void)? = nil
  ) -> WorldOutcomes {
    self.progress = progress
    if let reason = Control.begin() {
      found.doubts = [reason]
      return found
    }
    defer { Control.end() }
    if let order {
      searchOnly(order)
    } else {
      searchInOrder()
      searchAtRandom()
    }
    for action in undone where order == nil {
      doubt("'\(action)' was never possible: nothing is known of what comes after it")
    }
    if found.doubts.isEmpty { confirm() }
    name(allowed)
    if found.verdict == .same, let alike { doubt(alike) }
    if found.isRepeated {
      found.outcomes = told(found.outcomes)
    } else if found.doubts.isEmpty, found.verdict != .same {
      explain()
    }
    if Control.hasStrays {
      doubt("another thread went on with a task after its run was over")
    }
    return found
  }

  private var isOver: Bool {
    if !found.doubts.isEmpty || found.runs >= options.mostOrders { return true }
    return isLate
  }

  private var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  /// Whether what is left of the limits is for random orders.
  private var isNearlyOver: Bool {
    if found.runs >= options.mostOrders - options.mostOrders / 10 { return true }
    return options.time.map { ContinuousClock.now >= began + $0 * 0.9 } ?? false
  }

  private mutating func countRun() {
    found.runs += 1
    if found.runs % 1_000 == 0 { progress?(found.runs) }
  }

  private mutating func searchOnly(_ order: String) {
    found.isRepeated = true
    defer {
      doubt("only the order '\(order)' was run: leave out 'repeating' to try all")
    }
    if order.hasPrefix("seed "), let seed = UInt64(order.dropFirst(5)) { return playRandom(seed) }
    guard let plan = DeviationPlan(order) else {
      return doubt("'\(order)' is no order. Copy it from the failure of the test")
    }
    var only = PlannedOrder(plan: plan)
    let end = play(&only)
    countRun()
    if only.isAstray {
      return doubt("there is no order '\(order)' any more: the code has changed since it was found")
    }
    note(end, plan)
  }

  private mutating func searchInOrder() {
    var plans = DeviationPlans(most: options.mostDeviations)
    while !isOver, !(plans.complete >= 1 && isNearlyOver), plans.bytes < 200_000_000,
      let plan = plans.nextPlan()
    {
      let end = play(plan)
      countRun()
      plans.note(end.decisions, of: plan)
      note(end, plan)
    }
    found.complete = plans.complete
    found.isExhaustive = plans.isExhausted
  }

  private mutating func searchAtRandom() {
    let hasAll = found.isExhaustive && !found.hasMergedHops
    if hasAll || found.complete < min(1, options.mostDeviations) { return }
    for number in 0..<max(0, options.randomOrders) where !isOver {
      playRandom(options.seed &+ UInt64(number))
    }
  }

  private mutating func playRandom(_ seed: UInt64) {
    var order = RandomOrder(seed: seed)
    orders_note_seed(seed)
    let end = playNoted(&order)
    found.randomRuns += 1
    countRun()
    note(end, order.plan)
  }

  private mutating func play(_ plan: DeviationPlan) -> WorldEnd {
    var order = PlannedOrder(plan: plan)
    let end = play(&order)
    if order.isAstray { doubtHidden() }
    return end
  }

  private mutating func play(_ order: inout PlannedOrder) -> WorldEnd {
    note(order)
    return playNoted(&order)
  }

  /// Notes what a crash has to name.
  private func note(_ order: PlannedOrder) {
    let turns = order.plan.turns.flatMap { [UInt32($0.decision), UInt32($0.way)] }
    orders_note_order(turns, order.plan.turns.count)
  }

  private mutating func playNoted(
    _ order: inout some Chooser<WorldRun, WorldRun.Way>
  ) -> WorldEnd {
    var end = WorldEnd(
      options, patience, &order, log: followsTracks ? TrackLog() : nil, body)
    compare(&end)
    patience = end.patience
    return end
  }

  /// What the user cannot do in an order, and can in the usual one, tells one outcome from another.
  private mutating func compare(_ end: inout WorldEnd) {
    let usual = usuallyUndone ?? end.undone
    usuallyUndone = usual
    end.misses = end.undone.filter { !usual.contains($0) }
  }

  // MARK: What was found

  private mutating func note(_ end: WorldEnd, _ plan: DeviationPlan) {
    // What it throws only in another order is a part of the outcome.
    if ends.isEmpty, let error = end.error { doubt(error) }
    if ends.isEmpty, end.isCutOff {
      doubt(
        "the test itself never returns, and what it says below that place is not heard: let "
          + "'world.user' or a 'Task' wait")
    }
    if ends.isEmpty { found.hasActions = !end.actions.isEmpty }
    undone = ends.isEmpty ? end.undone : undone.filter(end.undone.contains)
    for escape in end.escapes { doubt(escape) }
    if end.hasMergedHops { found.hasMergedHops = true }
    if end.hasPoolWork { found.hasPoolWork = true }
    if end.hasPoolRest { found.hasPoolRest = true }
    if end.hasLeftTimers { found.hasLeftTimers = true }
    if !end.isJudged { doubt("nothing was judged: say with 'world.shows' what is compared") }
    if let unequal = end.unequal {
      doubt(
        "'\(unequal)' is not equal to itself, as a number that is none (NaN): it cannot be compared"
      )
    }
    for name in end.broken where !found.broken.contains(where: { $0.text == name }) {
      let (end, plan) = minimized(end, plan) { $0.broken.contains(name) }
      found.broken.append(
        .init(text: name, conditions: end.conditions, order: plan.text))
    }
    if let place = ends.firstIndex(where: { $0.equals(end) }) {
      compareTexts(end, plan, place)
      var (end, plan) = (end, plan)
      // The first random order that led there may have been a detour.
      if found.randomRuns > 0, plans[place].turns.count > found.complete + 1, detours < 20 {
        detours += 1
        (end, plan) = minimized(end, plan) { $0.equals(end) }
      }
      // Of orders that are as short, the one is told that is easier to say.
      if (plan.turns.count, end.oddity) < (plans[place].turns.count, ends[place].oddity) {
        (ends[place], plans[place]) = (end, plan)
      }
      return
    }
    let (least, plan) = minimized(end, plan) { $0.equals(end) }
    ends.append(least)
    plans.append(plan)
  }

  /// Notes values that are equal to those of an outcome and read otherwise.
  ///
  /// What reads otherwise each time, such as an identity, says nothing. Texts cost more than a run: the first
  /// orders tell.
  private mutating func compareTexts(_ end: WorldEnd, _ plan: DeviationPlan, _ place: Int) {
    guard comparesTexts, found.runs <= 1_000, let (one, other) = ends[place].alike(end) else {
      return
    }
    comparesTexts = false
    let again = (play(plans[place]), play(plan))
    if again.0.alike(ends[place]) != nil || again.1.alike(end) != nil { return }
    alike =
      "values that are equal read otherwise: '\(one)' and '\(other)'. Their '==' leaves something out: "
      + "let 'world.shows' return what is to be compared"
  }

  /// Leaves out what a random order does not need.
  private mutating func minimized(
    _ end: WorldEnd, _ plan: DeviationPlan, _ isSo: (WorldEnd) -> Bool
  ) -> (WorldEnd, DeviationPlan) {
    var (end, plan) = (end, plan)
    // An order that is repeated is told as it is.
    if found.isRepeated { return (end, plan) }
    // The others were run in the order of their deviations: none with fewer leads here.
    let isRandom = found.randomRuns > 0
    if plan.turns.count <= max(1, isRandom ? found.complete : options.mostDeviations) {
      return (end, plan)
    }
    // Without its last turns, the others are still what they were.
    for count in 0..<plan.turns.count where !isLate {
      let less = plan.first(count)
      var order = PlannedOrder(plan: less)
      let other = play(&order)
      if !order.isAstray, isSo(other) {
        (end, plan) = (other, less)
        break
      }
    }
    var at = plan.turns.count - 1
    while at >= 0, !isLate {
      let less = plan.without(at)
      var order = PlannedOrder(plan: less)
      let other = play(&order)
      if !order.isAstray, isSo(other) { (end, plan) = (other, less) }
      at = min(at, plan.turns.count) - 1
    }
    return (end, plan)
  }

  /// Runs the order of each outcome once more: if it ends otherwise, something decides that is not
  /// under control.
  private mutating func confirm() {
    for (end, plan) in zip(ends, plans) {
      let again = play(plan)
      if !again.equals(end) || again.broken != end.broken { return doubtHidden() }
    }
    for one in found.broken {
      guard let plan = DeviationPlan(one.order) else { continue }
      if !play(plan).broken.contains(one.text) { return doubtHidden() }
    }
  }

  // MARK: Words

  /// Tells each order of a failure, and what the user need not do for it.
  private mutating func explain() {
    found.outcomes = told(found.outcomes)
    found.broken = told(found.broken)
    // The usual one, and the first that is wrong.
    let sought = [0, Self.wrong(among: found.outcomes) ?? 1].filter { $0 < ends.count }.map {
      ends[$0]
    }
    let names = found.broken.prefix(1).map(\.text)
    if names.isEmpty, sought.count < 2 { return }
    found.needless = needless { ends in
      names.isEmpty
        ? sought.allSatisfy { one in ends.contains { $0.equals(one) } }
        : ends.contains { Set(names).isSubset(of: $0.broken) }
    }
  }

  /// The first outcome but the usual one that is not allowed.
  private static func wrong(among all: [WorldOutcomes.Found]) -> Int? {
    all.indices.dropFirst().first { !all[$0].isAllowed }
  }

  // To find places in the code takes a while.
  private static let mostTold = 3

  private func told(_ all: [WorldOutcomes.Found]) -> [WorldOutcomes.Found] {
    var all = all
    let wrong = Self.wrong(among: all)
    for place in all.indices where place < Self.mostTold || place == wrong {
      guard let plan = DeviationPlan(all[place].order) else { continue }
      var order = PlannedOrder(plan: plan)
      note(order)
      let end = WorldEnd(options, patience, &order, log: TrackLog(), explains: true, body)
      (all[place].conditions, all[place].story) = (end.conditions, end.story)
    }
    return all
  }

  /// Marks the outcome of an order that does what was recorded, and tells one that leads there.
  package mutating func mark(recorded text: String, if conditions: [String]) -> WorldOutcomes {
    // Several with the same text cannot be told apart.
    guard let place = found.outcomes.firstIndex(where: { $0.text == text }),
      !found.outcomes.contains(where: { $0.text == "\(text) (value 2)" })
    else { return found }
    found.outcomes[place].recorded = conditions
    if found.outcomes[place].story.isEmpty, Control.begin() == nil {
      found.outcomes[place] = told([found.outcomes[place]])[0]
      Control.end()
    }
    return found
  }

  /// The last of the user's actions, without which the same still happens.
  ///
  /// A user may stop at any time. Without an earlier action a later one may be impossible, and its code may end
  /// the process.
  private mutating func needless(_ isSo: ([WorldEnd]) -> Bool) -> [String] {
    var (without, names) = (Set<Int>(), [String]())
    for (number, name) in (ends.first?.actions ?? []).enumerated().reversed() {
      without.insert(number)
      guard let less = ends(without: without), isSo(less) else { break }
      names.insert(name, at: 0)
    }
    return names
  }

  /// How it ends without some of the actions; `nil` if that cannot be known soon.
  private mutating func ends(without actions: Set<Int>) -> [WorldEnd]? {
    var plans = DeviationPlans(most: max(1, found.complete))
    var ends: [WorldEnd] = []
    while ends.count < 1_000, let plan = plans.nextPlan() {
      if let deadline, ContinuousClock.now >= deadline { return nil }
      var order = PlannedOrder(plan: plan)
      let log = followsTracks ? TrackLog() : nil
      orders_note_nameless()
      var end = WorldEnd(options, patience, &order, log: log, without: actions, body)
      compare(&end)
      plans.note(end.decisions, of: plan)
      if !end.escapes.isEmpty { return nil }
      ends.append(end)
    }
    return ends
  }

  private mutating func doubtHidden() {
    doubt(
      "the same order did not happen twice: something is kept from run to run, such as a shared "
        + "object, or is different each time, such as a random number or the order of a Dictionary "
        + "or Set")
  }

  private mutating func doubt(_ reason: String) { found.doubts.note(reason) }

  private mutating func name(_ allowed: [String]?) {
    found.isJudged = allowed != nil
    var texts = ends.map(\.text)
    // What shows the same may differ in what goes on.
    texts = zip(ends, texts).map { end, text in
      zip(ends, texts).contains { $1 == text && $0.underWay != end.underWay } ? end.longText : text
    }
    let all = texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    found.hasTwins = all.contains { $0.value > 1 }
    var counts: [String: Int] = [:]
    for (place, plan) in plans.enumerated() {
      let (end, text) = (ends[place], texts[place])
      if end.dependsOnAnswers { found.dependsOnAnswers = true }
      let count = counts[text, default: 0] + 1
      counts[text] = count
      // What has no name of its own cannot be told from another outcome the next time.
      let isOwn = all[text] == 1
      found.outcomes.append(
        .init(
          text: count > 1 ? "\(text) (value \(count))" : text,
          isAllowed: allowed.map { isOwn && ($0.contains(text) || $0.contains(end.longText)) }
            ?? true,
          conditions: end.conditions, order: plan.text))
    }
  }
}

extension [String] {
  /// Adds a reason as a sentence, once.
  mutating func note(_ reason: String) {
    let sentence = reason.prefix(1).uppercased() + reason.dropFirst() + "."
    if !contains(sentence) { append(sentence) }
  }
}

extension DeviationPlan {
  /// The plan in a line: each decision with the way that is chosen there.
  var text: String {
    turns.isEmpty ? "usual" : turns.map { "\($0.decision):\($0.way)" }.joined(separator: " ")
  }

  init?(_ text: String) {
    self.init()
    if text == "usual" { return }
    for turn in text.split(separator: " ") {
      let numbers = turn.split(separator: ":").compactMap { Int($0) }
      guard numbers.count == 2, numbers[0] > (turns.last?.decision ?? -1), numbers[1] > 0 else {
        return nil
      }
      self = and(numbers[1], at: numbers[0])
    }
    if turns.isEmpty { return nil }
  }
}
