/// The messages that models were told in a run, with what was asked for in their handling.
struct ToldMessages {
  /// What was asked for in the handling of each message.
  private(set) var asked: [Int: [ReplayQuestion]] = [:]
  /// The messages that the model has ignored, so that no answer to them comes.
  private(set) var ignored: Set<Int> = []
  /// The messages of which what was asked for in their handling has been answered.
  private(set) var answered: Set<Int> = []
  /// The tracks to whose models a message was told.
  private(set) var tracks: Set<Int32> = []
  /// The messages by the numbers of their events.
  private var numbers: [Int64: Int] = [:]
  /// The message that is being told, until its event is made.
  private var current: Scenario.Message?
  /// Whether a track has moved since a message was told.
  private var hasMoved = false

  /// A message is about to be told.
  mutating func begin(_ message: Scenario.Message) { (current, hasMoved) = (message, false) }

  /// Takes the event in which a model receives a message.
  ///
  /// - Returns: the message; `nil` for one inside of another, which is the model's own.
  mutating func receive(_ event: UInt64) -> Scenario.Message? {
    let message = current.take()
    if let message { numbers[Int64(event)] = message.id }
    return message
  }

  /// A track has moved.
  mutating func move() { hasMoved = true }

  /// A message was told.
  ///
  /// - Parameter questions: what was asked for in its handling; `nil` if nobody could be told.
  mutating func end(_ message: Scenario.Message, asking questions: [ReplayQuestion]?) {
    current = nil
    asked[message.id] = questions
    if message.moves, !hasMoved { ignored.insert(message.id) }
  }

  /// Notes that a model with a track could be told a message.
  mutating func note(track: Int32) { tracks.insert(track) }

  /// Notes that a message is answered: what was asked for in its handling is, too.
  ///
  /// - Parameters:
  ///   - keys: what the answer answers; `nil` for everything.
  ///   - others: everything that its asker awaits.
  mutating func answer(
    _ origin: Int, _ keys: [ReplayQuestion.Key]?, others: @autoclosure () -> [ReplayQuestion]
  ) {
    guard answered.insert(origin).inserted else { return }
    for key in keys ?? asked[origin]?.map(\.key) ?? [] {
      let own = asked[origin]?.first { $0.key == key && $0.isOpen && !$0.isAnswered }
      (own ?? others().first { $0.key == key })?.isAnswered = true
    }
  }

  /// The message with an event of this number.
  func id(at event: Int64) -> Int? { numbers[event] }

  /// Whether something that was asked for in the handling of a message has not been answered, or is
  /// answered once more.
  func isAwaited(_ message: Int) -> Bool {
    answered.contains(message)
      || asked[message]?.contains { $0.isOpen && !$0.isAnswered } ?? false
  }

  /// Whether a stand-in has noted that something was asked for in the handling of a message.
  func hasAsked(in message: Int) -> Bool { asked[message]?.isEmpty == false }

  /// Whether one of these was asked for in the handling of a message.
  func hasAsked(in message: Int, for keys: [ReplayQuestion.Key]) -> Bool {
    asked[message]?.contains { keys.contains($0.key) } ?? false
  }

  /// Whether a question was asked in the handling of a message.
  func isAsked(_ question: ReplayQuestion, in message: Int) -> Bool {
    asked[message]?.contains { $0 === question } ?? false
  }
}
