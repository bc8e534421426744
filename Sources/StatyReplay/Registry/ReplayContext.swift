public import Staty

/// What an opaque controller is given to be replayed with: all that it may take from outside.
///
/// A controller that takes anything else, a random number or the wall clock, has a hidden input and
/// cannot be replayed; two runs of it differ.
public final class ReplayContext {
  /// The name under which the controller was recorded.
  public let controller: String
  /// What the controller reports through.
  public private(set) var probe: ControllerProbe
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
      context: self,
      requests: .init(
        makeState: { script in
          script.context = self
          return self.calling { makeState(script) }
        },
        request: { object, asking in
          // Made by `makeState` of the same subject.
          self.calling { request(unsafeDowncast(object, to: State.self), asking) }
        }), cancelAny: cancel.map { cancel in { what in self.calling { cancel(what) } } },
      cancelState: cancelState.map { cancel in
        { object in self.calling { cancel(unsafeDowncast(object, to: State.self)) } }
      })
  }

  /// A model with a track as a replay tells it things.
  ///
  /// ```swift
  /// registry.register("feed") { context in
  ///   let model = FeedModel(loader: NeverLoads())
  ///   return context.subject(of: model.track) { (message: FeedMessage) in model.send(message) }
  /// }
  /// ```
  ///
  /// The closure does what the app did when the message came: the model has to say to its track that it
  /// received it. Nothing else may reach the model, so give it doubles that never answer: what they
  /// answered then is a message of the recording.
  ///
  /// - Parameter send: tells the model a message that was recorded.
  public func subject<Message: RecordedMessage>(
    of track: Track, _ send: @escaping (Message) -> Void
  ) -> ReplaySubject {
    subject(of: track).receiving(send)
  }

  /// A model with a track; what it is told is said with ``ReplaySubject/receiving(_:_:)``.
  public func subject(of track: Track) -> ReplaySubject {
    probe = track.probe
    return ReplaySubject(context: self)
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

/// The time of a recording, which goes on from event to event.
public final class ReplayClock {
  /// How long ago the session began.
  public internal(set) var now: Duration = .zero
}
