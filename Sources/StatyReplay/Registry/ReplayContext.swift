public import Staty

/// Everything that an opaque controller may use from outside while it is replayed.
///
/// A controller that uses anything else, such as a random number or the wall clock, has a hidden
/// input. It cannot be replayed, because two runs of it differ.
public final class ReplayContext {
  /// The name under which the controller was recorded.
  public var controller: String { ownCode.controller }
  /// What the controller reports through.
  public private(set) var probe: ControllerProbe {
    didSet { scheduler.events = probe.events }
  }
  /// The track that the probe is of; `nil` for a controller.
  private(set) var track: Track?
  /// Whether the app uses the controller on one actor or serial queue only.
  private(set) var isConfined = false
  /// The time of the recording.
  public var clock: ReplayClock { ownCode.clock }
  /// Where the controller defers steps to, in place of the main queue or a timer.
  public let scheduler: ReplayScheduler
  /// How the controller's own code is called.
  private(set) var ownCode: OwnCode
  /// Watches the calls of the controller's own code.
  var vigil: ReplayVigil? {
    get { ownCode.vigil }
    set {
      ownCode.vigil = newValue
      scheduler.ownCode = ownCode
    }
  }
  /// What the subject has asked the stand-ins for, in order.
  private(set) var questions: [ReplayQuestion] = []
  private var open: [ReplayQuestion] = []
  /// The questions that have not been answered.
  var awaited: [ReplayQuestion] {
    open.removeAll { !$0.isOpen || $0.isAnswered }
    return open
  }
  /// The new names of renamed cases, by the old ones.
  var renamed: [String: String] = [:]

  init(controller: String, probe: ControllerProbe) {
    ownCode = OwnCode(controller: controller, clock: ReplayClock())
    self.probe = probe
    scheduler = ReplayScheduler(ownCode, probe.events)
  }

  /// Notes that the subject asks for something: call it in the stand-in for a server, a store or a
  /// platform.
  ///
  /// ```swift
  /// struct SilentServer: ItemServer {
  ///   let context: ReplayContext
  ///   func items(page: Int, _ done: @escaping ([Item]) -> Void) {
  ///     context.asked("items", page)
  ///   }
  /// }
  /// ```
  ///
  /// A search then delivers a recorded answer only where the subject has asked for it, with the
  /// same argument. Without it, a search cannot see whether a message has made the subject ask, and
  /// takes the recorded answers to come whenever the subject has reacted to the message at all.
  ///
  /// - Parameters:
  ///   - name: what is asked for.
  ///   - argument: what the answer depends on; left out if it depends on nothing.
  ///   - isInOrder: whether answers to questions of this name come in the order of the questions, as
  ///     those of a serial queue or of one animation after another.
  /// - Returns: the question, for a stand-in whose question can be cancelled or answered by itself.
  @discardableResult
  public func asked(
    _ name: String, _ argument: some Hashable = 0, inOrder isInOrder: Bool = false
  ) -> ReplayQuestion {
    let question = ReplayQuestion(name, AnyHashable(argument), isInOrder: isInOrder)
    questions.append(question)
    open.append(question)
    return question
  }

  /// Describes how a replay tells the controller its inputs.
  ///
  /// - Parameters:
  ///   - makeState: makes the app's state for a recorded one, once for each object.
  ///   - cancel: cancels everything or tears the controller down; without `cancelState` it also
  ///     cancels a visit by its number. Without either, a recording with a cancellation is in
  ///     doubt.
  ///   - cancelState: cancels the visit of a state.
  ///   - isConfined: whether the app uses the controller on one actor or serial queue only. Then its
  ///     calls never overlap, whichever threads run them, and a difference is never in doubt for that.
  ///   - request: requests the state.
  public func subject<State: AnyObject>(
    makeState: @escaping (ReplayState) -> State, cancel: ((Cancellation) -> Void)? = nil,
    cancelState: ((State) -> Void)? = nil, isConfined: Bool = false,
    request: @escaping (State, ReplayRequest) -> Void
  ) -> ReplaySubject {
    self.isConfined = isConfined
    return ReplaySubject(
      context: self,
      requests: .init(
        makeState: { script in
          script.ownCode = self.ownCode
          return self.ownCode.call { makeState(script) }
        },
        request: { object, asking in
          // `makeState` of the same subject made it.
          self.ownCode.call { request(unsafeDowncast(object, to: State.self), asking) }
        }), cancelAny: cancel.map { cancel in { what in self.ownCode.call { cancel(what) } } },
      cancelState: cancelState.map { cancel in
        { object in self.ownCode.call { cancel(unsafeDowncast(object, to: State.self)) } }
      })
  }

  /// Describes how a replay tells a model with a track its inputs.
  ///
  /// ```swift
  /// registry.register("feed") { context in
  ///   let model = FeedModel(loader: NeverLoads())
  ///   return context.subject(of: model.track) { (message: FeedMessage) in model.send(message) }
  /// }
  /// ```
  ///
  /// The closure does what the app did when the message arrived: the model has to tell its track
  /// that it received the message. Nothing else may reach the model, so give it doubles that never
  /// answer. Their recorded answers are messages of the recording.
  ///
  /// - Parameters:
  ///   - track: the model's track.
  ///   - isConfined: whether the app uses the model on one actor or serial queue only, as it must if
  ///     the model has no lock of its own. Otherwise messages of several threads may overlap.
  ///   - send: tells the model a recorded message.
  public func subject<Message: RecordedMessage>(
    of track: Track, isConfined: Bool = true, _ send: @escaping (Message) -> Void
  ) -> ReplaySubject {
    subject(of: track, isConfined: isConfined).receiving(send)
  }

  /// Describes a model with a track; add its messages with ``ReplaySubject/receiving(_:_:)``.
  ///
  /// - Parameters:
  ///   - track: the model's track.
  ///   - isConfined: whether the app uses the model on one actor or serial queue only, as it must if
  ///     the model has no lock of its own. Otherwise messages of several threads may overlap.
  public func subject(of track: Track, isConfined: Bool = true) -> ReplaySubject {
    self.isConfined = isConfined
    probe = track.probe
    self.track = track
    return ReplaySubject(context: self)
  }
}

/// How a state was requested.
public struct ReplayRequest: Hashable, Sendable {
  /// How urgent it was.
  public var priority: Int32
  /// The contextual destination that was requested, if any.
  public var asked: StateName?
  /// The visit that made the request, if that was known.
  public var origin: VisitNumber?
}

/// The time of a recording, which advances from event to event.
public final class ReplayClock {
  /// How long ago the session began.
  public internal(set) var now: Duration = .zero
}
