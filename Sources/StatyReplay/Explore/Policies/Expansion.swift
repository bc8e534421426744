import Staty

/// The result of expanding some worlds of a layer.
struct Expansion<Policy: TransitionPolicy> {
  var worlds: [ModelWorld<Policy>] = []
  var parents: [UInt32] = []
  var choices: [UInt16] = []
  var ends: [Int] = []
  var suspects: [(Int, ModelChoice)] = []
  var transitions = 0
  /// The bytes that the policies of its worlds hold outside of themselves, estimated from one of
  /// them.
  var outside = 0

  /// How many bytes its worlds take.
  var bytes: Int {
    worlds.capacity * MemoryLayout<ModelWorld<Policy>>.stride + worlds.count * outside
  }
}

/// What one thread needs to take steps.
struct Work<Policy: TransitionPolicy> {
  private let visited: VisitedStates
  private var step: ModelStep<Policy>

  init(_ plan: ModelPlan, _ visited: VisitedStates, _ wanted: Suspicion) {
    self.visited = visited
    step = ModelStep(plan, wanted: wanted)
  }

  /// Takes every possible step from these worlds; `first` is the number of the first world.
  mutating func expand(
    _ worlds: ArraySlice<ModelWorld<Policy>>, first: Int
  ) -> Expansion<Policy> {
    var result = Expansion<Policy>()
    result.worlds.reserveCapacity(worlds.count * 2)
    worlds.withUnsafeBufferPointer { worlds in
      for place in worlds.indices { expand(worlds, place, first + place, &result) }
    }
    result.outside = result.worlds.last?.outside ?? 0
    return result
  }

  @inline(__always)
  private mutating func expand(
    _ worlds: UnsafeBufferPointer<ModelWorld<Policy>>, _ place: Int, _ number: Int,
    _ result: inout Expansion<Policy>
  ) {
    let choices = worlds[place].courses.choices(step.plan)
    if choices.isAtEnd(worlds[place].courses, step.plan),
      worlds[place].courses.isSuspiciousAtEnd(step.plan)
    {
      result.ends.append(number)
    }
    choices.forEach { choice in
      var next = worlds[place]
      step.take(choice, &next)
      result.transitions += 1
      if !step.suspicion.isDisjoint(with: step.wanted) {
        result.suspects.append((number, choice))
      }
      guard visited.insert(next.fingerprint()) else { return }
      result.worlds.append(next)
      result.parents.append(UInt32(number))
      result.choices.append(choice.code)
    }
  }
}
