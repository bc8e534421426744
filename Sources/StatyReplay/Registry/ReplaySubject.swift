public import Staty

/// Describes how a replay tells an opaque controller, or a model with a track, its inputs.
public struct ReplaySubject {
  /// How states are requested of a controller.
  struct Requests {
    let makeState: (ReplayState) -> AnyObject
    let request: (AnyObject, ReplayRequest) -> Void
  }

  let context: ReplayContext
  var requests: Requests?
  private let cancelAny: ((Cancellation) -> Void)?
  private let cancelState: ((AnyObject) -> Void)?
  private var calls: [StateName: () -> Void] = [:]
  /// What the subject shows, if its test says how to compare that.
  private(set) var display: (() -> Display)?
  /// The conditions that have to hold.
  var invariants: [Invariant] = []
  /// Tells a message with this text; throws if the text cannot be decoded.
  private var send: ((String) throws -> () -> Void)?

  init(
    context: ReplayContext, requests: Requests? = nil,
    cancelAny: ((Cancellation) -> Void)? = nil, cancelState: ((AnyObject) -> Void)? = nil
  ) {
    (self.context, self.requests) = (context, requests)
    (self.cancelAny, self.cancelState) = (cancelAny, cancelState)
  }

  /// The call that cancels; `nil` if the controller cannot be told.
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

  /// A copy that also tells messages that were recorded with their values.
  ///
  /// - Parameter send: does what the app did when the message arrived.
  public func receiving<Message: RecordedMessage>(
    _ send: @escaping (Message) -> Void
  ) -> ReplaySubject {
    var subject = self
    subject.send = { [context] text in
      let message: Message
      do {
        message = try MessageText.message(Message.self, from: text)
      } catch {
        throw Undecodable(description: "as \(Message.self): \(error)")
      }
      return { context.ownCode.call { send(message) } }
    }
    return subject
  }

  /// A copy that also tells messages with this name that were recorded without values.
  ///
  /// These are messages that have only a name. The call also stands in for a message whose values
  /// cannot be told: they were hashed, omitted or cut, or do not decode any more.
  ///
  /// ```swift
  /// context.subject(of: model.track) { (message: LoginMessage) in model.send(message) }
  ///   .receiving("entered") { model.send(.entered(password: "a stand-in")) }
  /// ```
  ///
  /// - Parameter call: does what the app did when the message arrived.
  public func receiving(_ name: StateName, _ call: @escaping () -> Void) -> ReplaySubject {
    var subject = self
    subject.calls[name] = { [context] in context.ownCode.call(call) }
    return subject
  }
}

extension ReplaySubject {
  /// A copy of which the given value is compared, to tell one outcome from another.
  ///
  /// Without it, what a track shows is compared if its type is `Hashable`; of anything else, the
  /// names of the states. Values that may come in any order can be compared as a `Set`.
  ///
  /// ```swift
  /// context.subject(of: model.track) { (message: FeedMessage) in model.send(message) }
  ///   .showing { model.items.map(\.title) }
  /// ```
  ///
  /// - Parameter value: what the user sees; it is shown in the words about an outcome.
  public func showing<Value: Hashable>(_ value: @escaping () -> Value) -> ReplaySubject {
    var subject = self
    subject.display = { [context] in
      let shown = context.ownCode.call(value)
      return Display(value: AnyHashable(shown), text: String(shown: shown))
    }
    return subject
  }
}

/// What a model shows, to tell one outcome from another.
struct Display {
  let value: AnyHashable
  /// What a test has chosen to be compared can be read; any other value is never written anywhere.
  let text: String?
}

extension String {
  /// A value in words.
  ///
  /// They are the same in every process: what a set or a dictionary holds has an order then, and a private
  /// type no address.
  package init(shown value: Any) {
    func sorted(_ parts: [String]) -> String { "[\(parts.sorted().joined(separator: ", "))]" }
    if let set = value as? Set<AnyHashable> {
      self = sorted(set.map { String(reflecting: $0.base) })
    } else if let pairs = value as? [AnyHashable: Any], !pairs.isEmpty {
      self = sorted(pairs.map { "\(String(reflecting: $0.base)): \(String(reflecting: $1))" })
    } else {
      self.init(describing: value)
    }
    if contains("(unknown context at $") {
      replace(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    }
  }
}

/// The type that does not decode a recorded message, and why.
private struct Undecodable: Error, CustomStringConvertible {
  let description: String
}

extension ReplaySubject {
  /// The call that tells a recorded message, or why it cannot be told.
  func telling(_ name: StateName, _ payload: String?) -> (call: (() -> Void)?, why: UntoldMessage) {
    let (call, why) = decoding(name, payload)
    return (call ?? calls[name], why)
  }

  private func decoding(
    _ name: StateName, _ payload: String?
  ) -> (call: (() -> Void)?, why: UntoldMessage) {
    guard let send, let payload else { return (nil, .unknown) }
    let marks: KeyValuePairs<String, UntoldMessage> = [
      "hash:": .hashed, "omitted": .omitted, MessageText.cutMark: .cut, "(left out": .leftOut,
    ]
    if let mark = marks.first(where: { payload.hasPrefix($0.key) }) { return (nil, mark.value) }
    if payload.hasPrefix(MessageText.failureMark) {
      return (nil, .notEncoded(String(payload.dropFirst(MessageText.failureMark.count))))
    }
    do {
      return (try send(payload), .unknown)
    } catch {
      if let current = withCurrentName(payload), let call = try? send(current) {
        return (call, .unknown)
      }
      return (nil, .notDecoded("\(error)"))
    }
  }

  /// The values of a message whose case was renamed; `nil` for another message.
  private func withCurrentName(_ payload: String) -> String? {
    for (old, new) in context.renamed where payload.hasPrefix("{\"\(old)\":") {
      return "{\"\(new)\":" + payload.dropFirst(old.count + 4)
    }
    return nil
  }
}
