public import Staty
import StatyHistory

/// How the same input can end: what each controller and track shows when nothing is left to happen,
/// and what is still awaited.
public struct Outcome: Sendable {
  /// What a controller or track shows.
  public struct Screen: Hashable, Sendable {
    /// The number of the controller in the scenario.
    public internal(set) var controller: Int32
    /// The states on the stage, or the values of the track, the topmost last.
    public internal(set) var states: [State]
    /// The requests that wait, in the order of their turns.
    public internal(set) var waiting: [State]
    /// What was asked for and has not been answered, in the order of the alphabet.
    public internal(set) var awaited: [String]
    /// What the subject shows in words, if its test says what is compared.
    public internal(set) var text: String?
    /// Whether there is such a text that is not to be given to others.
    fileprivate var hidesText = false
    /// The message at which the track moved last; `nil` if that is not known.
    public internal(set) var message: Int?

    /// Whether nothing is shown, and nothing is to come.
    var isEmpty: Bool {
      states.isEmpty && waiting.isEmpty && awaited.isEmpty && text == nil && !hidesText
    }
  }

  /// A state on the stage, or one that waits for it.
  public struct State: Hashable, Sendable {
    /// Its name.
    public internal(set) var name: StateName
    /// Its phase, if it has not come to rest.
    public internal(set) var moving: Completion?
    /// What is known of it beyond its name.
    public internal(set) var payload: String?
  }

  /// What it shows, in a line: the name by which a test allows it.
  public internal(set) var text = ""
  /// Whether no other outcome shows the same text.
  package internal(set) var hasOwnText = true
  /// Whether it is among the allowed ones, if any are named.
  public internal(set) var isAllowed = true
  /// What each controller and track shows, in the order of the scenario's.
  public internal(set) var screens: [Screen]
  /// The fewest deviations from the usual order that lead to it; empty for the usual outcome.
  public internal(set) var deviations: [Deviation]
  /// The first order that was found to lead to it.
  public internal(set) var schedule: Schedule
  /// Whether it is the outcome of the recorded order.
  public internal(set) var isRecorded = false
  /// Whether only the recorded order was found to lead to it; ``deviations`` says nothing then.
  public internal(set) var isOnlyRecorded = false
  /// At which decisions something else than usual was chosen; `nil` for the recorded order.
  var plan: DeviationPlan?
  /// The scenario that the schedule is of.
  public internal(set) var scenario: Scenario

  /// Whether a patient user gets it.
  public var isUsual: Bool { deviations.isEmpty && !isOnlyRecorded }
}

/// The end of a run, compared with the ends of others.
struct RunEnd {
  let screens: [Outcome.Screen]
  /// What is shown itself, where it is known.
  private var values: [AnyHashable?]
  /// Which states are shown and wait, of those that have nothing but a name.
  private let states: [[StateIdentity]]
  /// The controllers that did something, or the tracks that moved.
  private var deciding: Set<Int32>
  /// The tracks of which more is shown than a name, and it cannot be compared.
  let hiding: Set<Int32>

  private enum StateIdentity: Hashable {
    /// The first request for the object.
    case object(Int)
    /// Requests with this number ask for the same.
    case key(UInt32)
  }

  init(_ run: ScheduleRun) {
    var fold = VisitFold()
    fold.noticesGaps = false
    for controller in run.controllers { fold.add(controller) }
    var details = run.details[...]
    for row in run.events {
      let detail = details.first?.seq == row.seq ? details.popFirst() : nil
      _ = fold.take(row, detail)
    }
    screens = run.controllers.map { run.screen(of: $0, fold) }
    values = run.controllers.map { run.players[$0.id]?.display?.value }
    states = run.controllers.map { controller in
      guard let overview = fold.overview(of: controller.id) else { return [] }
      return (overview.onStage + overview.waiting).compactMap { visit in
        let key = VisitKey(controller: controller.id, visit: visit.visit)
        // The values of a track were not requested.
        guard let request = run.visits[key].map({ run.requests[$0] }), request.payload == nil else {
          return nil
        }
        return request.equality.map { .key($0) } ?? .object(request.instance ?? request.id)
      }
    }
    deciding = run.log.deciding
    hiding = Set(run.controllers.map(\.id).filter { run.players[$0]?.hidesValue ?? false })
  }

  /// Whether two runs end in the same way.
  func equals(_ other: RunEnd) -> Bool {
    zip(screens, other.screens).allSatisfy { $0.looksLike($1) }
      // What a test has named is compared itself.
      && screens.indices.allSatisfy { place in
        screens[place].text != nil
          ? values[place] == other.values[place] : isSame(place, in: other) != false
      }
  }

  /// The controllers of which two runs that end in the same way were compared by names alone, and that may
  /// show different things.
  func comparedByName(with other: RunEnd) -> Set<Int32> {
    let places = screens.indices.filter { place in
      // Where nothing is shown there is no value.
      screens[place].text == nil
        && (isSame(place, in: other) == nil && !screens[place].states.isEmpty
          || states[place] != other.states[place])
    }
    return Set(places.map { screens[$0].controller })
  }

  /// Takes over what another run that ends in the same way shows where this one does not know it: what
  /// comes next is compared with that.
  mutating func learn(from other: RunEnd) {
    for place in values.indices {
      let id = screens[place].controller
      if isSame(place, in: other) == nil, !deciding.contains(id), other.deciding.contains(id) {
        values[place] = other.values[place]
        deciding.insert(id)
      }
    }
  }

  /// Whether the values of a controller are the same in another run; `nil` if that is not known.
  ///
  /// A track that has not moved shows its initial value, if it was given one; what is shown besides a name
  /// is given only when it moves.
  private func isSame(_ place: Int, in other: RunEnd) -> Bool? {
    guard let one = values[place], let two = other.values[place] else {
      return values[place] == nil && other.values[place] == nil ? true : nil
    }
    let id = screens[place].controller
    let areAlike = deciding.contains(id) == other.deciding.contains(id)
    return areAlike || type(of: one.base) == type(of: two.base) ? one == two : nil
  }
}

extension Outcome.Screen {
  /// Leaves out what is known of values beyond their names.
  mutating func hideValues() {
    hidesText = hidesText || text != nil
    text = nil
    for place in states.indices { states[place].payload = nil }
    for place in waiting.indices { waiting[place].payload = nil }
  }

  /// Whether both show the same, however they came to show it.
  fileprivate func looksLike(_ other: Self) -> Bool {
    if awaited != other.awaited { return false }
    // What a test has named is compared by its value, and nothing else.
    if text != nil, other.text != nil { return true }
    return states == other.states && waiting == other.waiting
  }
}

extension ScheduleRun {
  /// What a controller or track shows now.
  fileprivate func screen(of controller: ControllerRecord, _ fold: VisitFold) -> Outcome.Screen {
    let id = controller.id
    let player = players[id]
    var screen = Outcome.Screen(
      controller: id, states: [], waiting: [],
      awaited: player?.awaited.map(\.key.name).sorted() ?? [],
      text: player?.display?.text,
      message: FindingKey.message(ofMoveAt: id, in: self))
    if let track = player?.track {
      screen.states = track.standing.standing.map { Outcome.State(name: $0.request.state) }
      return screen
    }
    guard let overview = fold.overview(of: id) else { return screen }
    func state(_ visit: OpenVisit) -> Outcome.State {
      let place = visits[VisitKey(controller: id, visit: visit.visit)]
      var state = Outcome.State(
        name: StateName(names[visit.state] ?? "?"),
        payload: place.flatMap { scenario.requests[$0].payload })
      switch visit.progress {
      case .entering: state.moving = .entered
      case .exiting: state.moving = .exited
      default: break
      }
      return state
    }
    screen.states = overview.onStage.map(state)
    screen.waiting = overview.waiting.map(state)
    return screen
  }
}
