extension ReplayContext {
  /// Makes a scenario drive a live controller of the app, with its policy, routes and deadlines.
  ///
  /// The states do what the scenario says.
  ///
  /// ```swift
  /// let checkout = try TestScenario("checkout") { context in
  ///   context.subject(
  ///     of: StateController(policy: .latest, timer: context.scheduler), on: CheckoutView())
  /// }
  /// ```
  ///
  /// The rules expect that states enter in the order of the requests. If the policy has another
  /// discipline, pass it to the scenario: `TestScenario("toasts", discipline: .atOnce) { … }`.
  ///
  /// - Parameters:
  ///   - controller: a new controller, which measures its deadlines with the context's scheduler.
  ///   - target: the target of the states; retained as long as the controller.
  /// - Returns: the subject of the scenario.
  public func subject<Target: AnyObject>(
    of controller: StateController<Target>, on target: Target
  ) -> ReplaySubject {
    let live = LiveController(controller, target, probe)
    return subject(
      makeState: { LiveState($0, live) }, cancel: { live.cancel($0) },
      request: { live.request($0, $1) })
  }
}

/// A live controller that reports to a probe, like an app's own class.
///
/// It numbers its events itself, so their causes are translated into the probe's numbers.
private final class LiveController<Target: AnyObject>: TransitionObserver {
  let probe: ControllerProbe
  private let controller: StateController<Target>
  // The controller holds its target weakly.
  private let target: Target
  private var states: [VisitNumber: LiveState<Target>] = [:]
  private var requesting: [LiveState<Target>] = []
  /// The probe's numbers of the current inputs.
  private var inputs: [UInt64] = []
  /// The probe's numbers of inputs, by the controller's.
  private var numbers: [UInt64: UInt64] = [:]
  /// The probe's number of the event that causes the next order to a state, by visit.
  private var causes: [VisitNumber: UInt64] = [:]

  init(_ controller: StateController<Target>, _ target: Target, _ probe: ControllerProbe) {
    self.controller = controller
    self.target = target
    self.probe = probe
    controller.events.add(self)
    controller.bind(to: target)
  }

  func request(_ state: LiveState<Target>, _ request: ReplayRequest) {
    probe.requested(state, named: state.name, priority: request.priority) {
      handling {
        requesting.append(state)
        controller.transition(to: state, priority: request.priority)
      }
    }
  }

  func complete(_ state: LiveState<Target>, _ completion: Completion, _ visit: Visit?) {
    probe.completed(completion, state) {
      handling { completion == .entered ? visit?.entered() : visit?.exited() }
    }
  }

  func cancel(_ cancellation: Cancellation) {
    probe.cancelled(cancellation) {
      handling {
        switch cancellation {
        case .visit(let visit): controller.cancel(visit)
        case .all: controller.cancelAll()
        case .tearDown: controller.tearDown()
        }
      }
    }
  }

  /// Tells a state to enter or to exit.
  func tell(_ order: ControllerProbe.Order, _ state: LiveState<Target>, _ visit: VisitNumber) {
    probe.telling(order, state, because: causes[visit] ?? 0) { state.play(order) }
  }

  /// Orders to states are reported by the states.
  ///
  /// Discarded visits are reported only to observers.
  func observe(_ event: borrowing TransitionEvent) {
    if event.kind.side == .input, let input = inputs.last { numbers[event.number] = input }
    guard let visit = event.visit else { return }
    switch event.kind {
    case .enqueued: if !requesting.isEmpty { states[visit] = requesting.removeFirst() }
    case .entering, .exiting: causes[visit] = numbers[event.cause]
    case .discarded:
      guard case .discard(let reason) = event.detail else { return }
      guard let state = states.removeValue(forKey: visit) else { return }
      probe.discarded(state, reason, because: numbers[event.cause] ?? 0)
    case .exited: states[visit] = nil
    default: break
    }
  }

  private func handling(_ body: () -> Void) {
    inputs.append(probe.events.place.event)
    body()
    inputs.removeLast()
  }
}

/// A state of a live controller that does what a scenario says.
private final class LiveState<Target: AnyObject>: ScreenState {
  let name: StateName
  private let script: ReplayState
  private unowned let live: LiveController<Target>
  private var visit: Visit?

  init(_ script: ReplayState, _ live: LiveController<Target>) {
    self.script = script
    self.live = live
    name = script.name
    script.onCompletion = { [unowned self] in live.complete(self, $0, visit) }
  }

  func enter(on target: Target, visit: Visit) {
    self.visit = visit
    live.tell(.enter, self, visit.number)
  }

  func exit(from target: Target, visit: Visit) {
    live.tell(.exit, self, visit.number)
  }

  func play(_ order: ControllerProbe.Order) {
    switch order {
    case .enter: script.enter()
    case .exit: script.exit()
    }
  }
}
