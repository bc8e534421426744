public import Staty

/// What an opaque controller is given to be replayed with: all that it may take from outside.
///
/// A controller that takes anything else, a random number or the wall clock, has a hidden input and
/// cannot be replayed; two runs of it differ.
public final class ReplayContext {
  /// The name under which the controller was recorded.
  public let controller: String
  /// What the controller reports through.
  public let probe: ControllerProbe
  /// The time of the recording.
  public let clock: ReplayClock
  /// Where the controller puts steps off to, in the place of the main queue or a timer.
  public let scheduler: ReplayScheduler
  /// What is to know of calls of the controller's own code.
  var vigil: ReplayVigil?

  init(controller: String, probe: ControllerProbe, clock: ReplayClock, scheduler: ReplayScheduler) {
    self.controller = controller
    self.probe = probe
    self.clock = clock
    self.scheduler = scheduler
    scheduler.context = self
  }

  /// Calls the controller's own code.
  func calling<Result>(_ body: () -> Result) -> Result {
    vigil?.during(controller, clock.now, body) ?? body()
  }

  /// The controller as a replay tells it things.
  ///
  /// - Parameters:
  ///   - makeState: makes the app's state for one that was recorded, once for each object.
  ///   - cancel: everything or the controller itself is cancelled, and without `cancelState` a visit by
  ///     its number; without either, a recording in which that happens is in doubt.
  ///   - cancelState: the visit of a state is cancelled.
  ///   - request: the state is requested.
  public func subject<State: AnyObject>(
    makeState: @escaping (ReplayState) -> State, cancel: ((Cancellation) -> Void)? = nil,
    cancelState: ((State) -> Void)? = nil,
    request: @escaping (State, ReplayRequest) -> Void
  ) -> ReplaySubject {
    ReplaySubject(
      makeState: { script in
        script.context = self
        return self.calling { makeState(script) }
      },
      request: { object, asking in
        // Made by `makeState` of the same subject.
        self.calling { request(unsafeDowncast(object, to: State.self), asking) }
      }, cancelAny: cancel.map { cancel in { what in self.calling { cancel(what) } } },
      cancelState: cancelState.map { cancel in
        { object in self.calling { cancel(unsafeDowncast(object, to: State.self)) } }
      })
  }
}

/// How a state was asked for.
public struct ReplayRequest: Hashable, Sendable {
  /// How urgent it was.
  public var priority: Int32
  /// The contextual destination that was asked for, if it was one.
  public var asked: StateName?
  /// The visit whose code asked, if that was known.
  public var origin: VisitNumber?
}

/// An opaque controller as a replay tells it things.
public struct ReplaySubject {
  let makeState: (ReplayState) -> AnyObject
  let request: (AnyObject, ReplayRequest) -> Void
  fileprivate let cancelAny: ((Cancellation) -> Void)?
  fileprivate let cancelState: ((AnyObject) -> Void)?

  /// What tells the controller of a cancellation; `nil` if it cannot be told.
  ///
  /// - Parameter object: the state object of a visit.
  func cancelling(
    _ cancellation: Cancellation, _ object: (VisitNumber) -> AnyObject?
  ) -> (() -> Void)? {
    if case .visit(let visit) = cancellation, let cancelState, let state = object(visit) {
      return { cancelState(state) }
    }
    return cancelAny.map { cancel in { cancel(cancellation) } }
  }
}

/// The time of a recording, which goes on from event to event.
public final class ReplayClock {
  /// How long ago the session began.
  public internal(set) var now: Duration = .zero
}
