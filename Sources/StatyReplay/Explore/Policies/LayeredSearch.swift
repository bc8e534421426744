import Dispatch
import Staty
import Synchronization

/// The search through all worlds of a policy, layer by layer: worlds with fewer steps first.
///
/// Only two layers are held as whole worlds, the current one and the next. Of every other world the
/// search keeps its number (eight bytes, at two thirds of the table's capacity), and its parent and
/// the step from there (six bytes), so that the way to it is known.
final class LayeredSearch<Policy: TransitionPolicy> {
  typealias World = ModelWorld<Policy>

  private let plan: ModelPlan
  private let limits: SearchLimits
  private let wanted: Suspicion
  private let judge: (Schedule, _ isAtEnd: Bool) -> Judgement
  private let visited = VisitedStates()
  private var layer: [Chunk] = []
  private var layerBytes = 0
  private var parents: [UInt32] = [0]
  private var choices: [UInt16] = [0]
  private var unreserved = 1
  /// How many threads go through a layer.
  private let workers: Int
  private(set) var result: SearchResult

  /// Some worlds of a layer that are adjacent in the numbering of all.
  private struct Chunk {
    let first: Int
    let worlds: [World]
  }

  /// The part of a chunk that one thread takes at a time.
  private struct Piece {
    let first: Int
    let worlds: ArraySlice<World>

    /// The piece in two halves; `nil` if it is too small to divide.
    var halves: [Piece]? {
      if worlds.count < 2 * 32 { return nil }
      let middle = worlds.startIndex + worlds.count / 2
      return [
        Piece(first: first, worlds: worlds[..<middle]),
        Piece(first: first + worlds.count / 2, worlds: worlds[middle...]),
      ]
    }
  }

  private static var pieceSize: Int { 1_024 }
  private static var blockSize: Int { 32 }
  /// One thread alone takes blocks of fewer worlds.
  private static var leastShared: Int { 4_096 }

  /// - Parameters:
  ///   - wanted: the suspicions to check.
  ///   - judge: what the rules find after a schedule, or at the end of one.
  init(
    _ policy: Policy, _ plan: ModelPlan, _ limits: SearchLimits, _ goal: SearchGoal, workers: Int,
    wanted: Suspicion, judge: @escaping (Schedule, _ isAtEnd: Bool) -> Judgement
  ) {
    self.plan = plan
    result = SearchResult(goal)
    self.limits = limits
    self.workers = workers
    self.wanted = wanted
    self.judge = judge
    let world = World(policy: policy, courses: ModelCourses(plan))
    visited.reserve(1, inserted: 0)
    _ = visited.insert(world.fingerprint())
    layer = [Chunk(first: 0, worlds: [world])]
    result.states = 1
  }

  /// Searches until it finds what it is for or any other error, nothing is left or a limit is
  /// reached.
  func run() {
    while !layer.isEmpty {
      guard result.depth < limits.steps else { return endHere() }
      var reached = Reached()
      var pieces = pieces[...]
      while let next = pieces.first {
        if let cut = limits.reached(result) { return result.cut = cut }
        let block = pieces.prefix(fitting(next, reached))
        if block.isEmpty {
          guard let halves = next.halves else { return result.cut = .memory }
          pieces.replaceSubrange(pieces.startIndex...pieces.startIndex, with: halves)
          continue
        }
        take(expand(block), &reached)
        pieces = pieces.dropFirst(block.count)
      }
      if judge(reached) { return }
      (layer, layerBytes) = (reached.layer, reached.bytes)
      if !layer.isEmpty { result.depth += 1 }
    }
  }

  /// Checks the worlds of the last layer in which a run may end: the others need more steps than
  /// the limit.
  private func endHere() {
    var goesOn = false
    for chunk in layer {
      for (place, world) in chunk.worlds.enumerated() {
        let choices = world.courses.choices(plan)
        choices.forEach { _ in goesOn = true }
        guard choices.isAtEnd(world.courses, plan), world.courses.isSuspiciousAtEnd(plan) else {
          continue
        }
        if judge(schedule(to: chunk.first + place), isAtEnd: true) { return }
      }
    }
    if goesOn { result.cut = .steps }
  }

  /// Asks the rules about everything suspicious.
  ///
  /// An order that ends here is shorter than one that goes on.
  ///
  /// - Returns: whether the search is over.
  private func judge(_ reached: Reached) -> Bool {
    for place in reached.ends {
      if judge(schedule(to: place), isAtEnd: true) { return true }
    }
    for (place, choice) in reached.suspects {
      if judge(schedule(to: place) + [choice.step(plan)], isAtEnd: false) { return true }
    }
    return result.isBeyond
  }

  private func judge(_ schedule: Schedule, isAtEnd: Bool) -> Bool {
    if let cut = limits.reached(result) {
      result.cut = cut
      return true
    }
    let judgement = judge(schedule, isAtEnd)
    guard judgement.isPlayed else {
      // The policy has done something else than its copy.
      result.doubts = [.hiddenInput]
      return true
    }
    // After the end of an order nothing follows.
    if judgement.isFaulty, !isAtEnd { result.isBeyond = true }
    return result.note(judgement.codes, in: schedule, isAtEnd: isAtEnd)
  }

  /// What a layer led to.
  private struct Reached {
    var layer: [Chunk] = []
    var bytes = 0
    var ends: [Int] = []
    var suspects: [(Int, ModelChoice)] = []
  }

  /// The layer in pieces.
  private var pieces: [Piece] {
    var pieces: [Piece] = []
    for chunk in layer {
      for start in stride(from: 0, to: chunk.worlds.count, by: Self.pieceSize) {
        let end = min(start + Self.pieceSize, chunk.worlds.count)
        pieces.append(Piece(first: chunk.first + start, worlds: chunk.worlds[start..<end]))
      }
    }
    return pieces
  }

  private func take(_ expansions: [Expansion<Policy>], _ reached: inout Reached) {
    for expansion in expansions {
      result.transitions += expansion.transitions
      reached.ends += expansion.ends
      reached.suspects += expansion.suspects
      if expansion.worlds.isEmpty { continue }
      reached.bytes += expansion.bytes
      reached.layer.append(Chunk(first: parents.count, worlds: expansion.worlds))
      parents += expansion.parents
      choices += expansion.choices
      result.states += expansion.worlds.count
      unreserved += expansion.worlds.count
    }
    result.bytes = max(result.bytes, bytes(reached))
  }

  private func schedule(to place: Int) -> Schedule {
    var steps: Schedule = []
    var place = place
    while place != 0 {
      steps.append(ModelChoice(code: choices[place]).step(plan))
      place = Int(parents[place])
    }
    return steps.reversed()
  }
}

// MARK: Memory

extension LayeredSearch {
  /// The number of bytes that are held when this much of the next layer is reached.
  private func bytes(_ reached: Reached) -> Int {
    visited.bytes + parents.capacity * 4 + choices.capacity * 2 + layerBytes + reached.bytes
  }

  /// The number of pieces that fit into the memory limit at once, even if each step leads to a new
  /// state.
  ///
  /// Later pieces are assumed to be like this one.
  private func fitting(_ piece: Piece, _ reached: Reached) -> Int {
    let outside = piece.worlds.first?.outside ?? 0
    let each = MemoryLayout<World>.stride + outside + MemoryLayout<Request?>.stride
    var count = Self.blockSize
    while count > 0 {
      let more = count * piece.worlds.count * mostSteps
      let table = visited.bytes(reserving: more, inserted: unreserved) - visited.bytes
      // An array holds its content twice while it grows.
      let way = parents.count + more > parents.capacity ? (parents.count + more) * 2 * 6 : 0
      if bytes(reached) + more * each + table + way <= limits.bytes { return count }
      count /= 2
    }
    return 0
  }

  /// The most steps that a world can have: each slot can be made, and can report two completions.
  private var mostSteps: Int { plan.count * (plan.hasOptions ? 6 : 2) + 1 }
}

// MARK: Expanding

extension LayeredSearch {
  /// Takes every step from every world of some pieces.
  private func expand(_ block: ArraySlice<Piece>) -> [Expansion<Policy>] {
    let count = block.reduce(0) { $0 + $1.worlds.count }
    let most = count * mostSteps
    result.bytes = max(result.bytes, visited.bytes(reserving: most, inserted: unreserved))
    visited.reserve(most, inserted: unreserved)
    unreserved = 0
    guard workers > 1, count >= Self.leastShared else {
      var work = Work<Policy>(plan, visited, wanted)
      return block.map { work.expand($0.worlds, first: $0.first) }
    }
    result.isShared = true
    return expandTogether(Array(block))
  }

  private func expandTogether(_ block: [Piece]) -> [Expansion<Policy>] {
    let results = Results<Policy>(count: block.count)
    let next = Atomic(0)
    // Each place of the results is written by the one thread that drew its number;
    // `concurrentPerform` returns when all are done.
    let (plan, visited, wanted) = (plan, visited, wanted)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      var work = Work<Policy>(plan, visited, wanted)
      while true {
        let place = next.add(1, ordering: .relaxed).oldValue
        guard place < block.count else { return }
        results.places[place] = work.expand(block[place].worlds, first: block[place].first)
      }
    }
    // The buffer is freed with the results.
    return withExtendedLifetime(results) { Array(results.places) }
  }
}

/// The results of threads, each in a place of its own.
private final class Results<Policy: TransitionPolicy>: @unchecked Sendable {
  // Sendable: no two threads use the same place, and it is read when all are done.
  let places: UnsafeMutableBufferPointer<Expansion<Policy>>

  init(count: Int) {
    places = .allocate(capacity: count)
    places.initialize(repeating: Expansion())
  }

  deinit {
    places.deinitialize()
    places.deallocate()
  }
}
