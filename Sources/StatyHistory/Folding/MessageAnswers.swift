import Staty

/// The messages of a track and their answers, remembered to see which answers are late, missing or
/// doubled.
struct MessageAnswers: Sendable {
  private struct Message: Sendable {
    let row: EventRow
    /// The question that it answers; 0 if it answers none.
    let question: Int64
    /// The number of the name of the part that it is about; 0 for the whole.
    let part: Int32
    /// The same question, asked before and not answered then; 0 if there is none.
    let earlier: Int64
    /// When the track was set in its handling last, perhaps to what it was before; `nil` before that.
    var moved: Int64?
    /// Whether the track has changed in its handling, and whether its name has.
    var hasChanged = false
    var hasChangedName = false
    /// The name of its last answer, or what its call did later, see `Later`; 0 if it has none yet.
    var answer: Int32 = 0
    /// Whether a second answer of that name has been told.
    var isDoubled = false
    /// The last change that was an answer: its own, or one of its call; 0 if there was none.
    var answerChange: Int64 = 0
    /// Whether its first change came so late in its own handling that it may have waited for it.
    var hasPerhapsWaited = false
    /// Whether one of its changes has been told as late.
    var isTold = false
    /// The user's message after which its last change was told as late.
    var toldBehind: Int64 = 0
    /// How often its call has changed the track behind something that it waited for, or it was answered.
    var waits = 0
    /// The change at which it was known to go on changing the track, such as the reader of a stream; 0 before that.
    var sourceSince: Int64 = 0

    var seq: Int64 { row.seq }
    var isAnswered: Bool { answer != 0 }
    /// Whether an answer of it may have changed the track.
    var hasCrossingAnswer: Bool { answer != 0 && answer != Later.same }
    /// Whether the user sent it, as far as a recording says.
    var isUsers: Bool { question == 0 && row.inside == 0 }
    /// Whether another model passed it on in the handling of what the user sent there.
    let isPassedOn: Bool
  }

  /// What the call of a message does behind something that it waited for, in the place of an answer's name.
  private enum Later {
    static let change: Int32 = -1
    /// The track was set, and shows the same as before.
    static let same: Int32 = -2
  }

  /// A name of messages, or of their answers, and the part that they are about.
  private struct Kind: Hashable {
    let name: Int32
    let part: Int32
  }

  /// What a move of the track has changed.
  enum Move {
    case changed
    case changedName
    /// The same phase was set anew: the model has not ignored its message.
    case phase
    /// The same is shown as before.
    case same
    /// The name is the same, and perhaps the values are not.
    case unknown
  }

  /// The last messages that were received.
  private var messages: [Message] = []
  /// The newest message that was answered, by the answer's name and by its own.
  private var newestByAnswer: [Kind: Int64] = [:]
  private var newestByMessage: [Kind: Int64] = [:]
  /// The names of messages that other messages have answered.
  private var questions: Set<Int32> = []
  /// The current or last handled answer, the question that it answers, and a newer one that had been
  /// answered before; zeros if there is none.
  private var outOfDate: (seq: Int64, question: Int64, newer: Int64) = (0, 0, 0)
  /// The answers behind a message of the user's: if that message is a question, the two only cross.
  private var behindUser: [TrackRemark] = []
  /// The messages that were answered again and again and are forgotten.
  private var streams: Set<Int64> = []
  private var hasMessages = false
  /// What was sent and has not been received yet, by its name: how many, and the last of them.
  private var sent: [Int32: (count: Int, last: EventRow)] = [:]

  /// How many messages may come between a message and its answer.
  private static let mostMessages = 64
  /// How many of the oldest are remembered longer, because they have no answer yet.
  private static let mostWaiting = 16
  /// No model has more names; one that makes names without end must not fill the memory.
  private static let mostNames = 256
  private static let mostBehindUser = 64
  /// How long after its beginning a call may set the track and not have waited for anything, in
  /// microseconds: its thread may have been busy, and no user sees a shorter wait.
  static let beginning: Int64 = 50_000
  /// The same between two changes: several variables are set one after the other.
  private static let pause: Int64 = 5_000

  /// Gives out the answers that wait, because the recording of the track goes on in another session.
  mutating func takeWaiting() -> [TrackRemark] {
    defer { behindUser = [] }
    return behindUser
  }

  /// What is to be said if the session ends here.
  var pending: [TrackRemark] {
    behindUser + messages.compactMap(unanswered)
      + sent.values.map { TrackRemark(.neverReceived, $0.last) }
  }

  /// Takes a message that was sent, and will be received unless something drops it.
  mutating func send(_ row: EventRow) {
    guard sent.count < Self.mostNames || sent[row.state] != nil else { return }
    sent[row.state] = ((sent[row.state]?.count ?? 0) + 1, row)
  }

  private mutating func receive(_ name: Int32) {
    guard let one = sent[name] else { return }
    sent[name] = one.count == 1 ? nil : (one.count - 1, one.last)
  }

  /// Takes a received message.
  ///
  /// - Parameters:
  ///   - part: the number of the name of the part that it is about; 0 for the whole.
  ///   - isPassedOn: whether another model passed it on when the user sent that a message.
  mutating func take(
    _ row: EventRow, part: Int32, isPassedOn: Bool, _ remarks: inout [TrackRemark]
  ) {
    if row.inside == 0 { outOfDate = (0, 0, 0) }
    hasMessages = true
    if !sent.isEmpty { receive(row.state) }
    if messages.count == Self.mostMessages { forgetOldest(&remarks) }
    // A message in the handling of another is a part of it.
    let outer = row.inside == 0 ? nil : messages.last { $0.seq == row.inside }
    let isUsers = row.inside == 0 && row.ownCause == 0
    let isAnswer = row.ownCause != 0 && !isPassedOn
    let question = isAnswer ? row.ownCause : outer?.question ?? 0
    // An answer is about the part of its question.
    let its = part != 0 || question == 0 ? part : messages.last { $0.seq == question }?.part ?? 0
    let asked = messages.last {
      $0.row.state == row.state && $0.part == its && $0.isUsers && !$0.isAnswered
    }
    messages.append(
      Message(
        row: row, question: question, part: its, earlier: isUsers ? asked?.seq ?? 0 : 0,
        isPassedOn: isPassedOn))
    if isAnswer { answer(row.ownCause, row.state, part: its, row, &remarks) }
  }

  /// Forgets the oldest messages, but for some that still wait for an answer.
  private mutating func forgetOldest(_ remarks: inout [TrackRemark]) {
    let oldest = messages.prefix(Self.mostMessages / 2)
    let waiting = oldest.filter { $0.isUsers && !$0.isAnswered }
    for one in oldest where one.isDoubled && streams.count < Self.mostNames {
      streams.insert(one.seq)
    }
    remarks += waiting.dropLast(Self.mostWaiting).compactMap(unanswered)
    messages.replaceSubrange(..<oldest.endIndex, with: waiting.suffix(Self.mostWaiting))
    let kept = Set(messages.map(\.seq))
    remarks += behindUser.filter { !kept.contains($0.newer.seq) }
    behindUser.removeAll { !kept.contains($0.newer.seq) }
  }

  private func called(_ seq: Int64) -> TrackRemark.Message {
    .init(seq: seq, name: messages.last { $0.seq == seq }?.row.state ?? 0)
  }

  private func unanswered(_ message: Message) -> TrackRemark? {
    guard message.isUsers, !message.isAnswered, questions.contains(message.row.state) else {
      return nil
    }
    return TrackRemark(.neverAnswered, message.row, question: called(message.seq))
  }

  /// Notes that a message was answered, which its newer ones may have been before.
  ///
  /// - Parameters:
  ///   - name: the name of the answer, or what the message's call does later.
  ///   - part: the part that the answer is about.
  ///   - row: the answer, or the move of the track that the call makes.
  private mutating func answer(
    _ question: Int64, _ name: Int32, part: Int32, _ row: EventRow,
    _ remarks: inout [TrackRemark]
  ) {
    // What came behind its question crosses it, if it changes anything.
    if !behindUser.isEmpty, name != Later.same {
      behindUser.removeAll { $0.newer.seq == question }
    }
    let place = messages.lastIndex { $0.seq == question }
    let asked = place.map { Kind(name: messages[$0].row.state, part: messages[$0].part) }
    let its = name > 0 ? Kind(name: name, part: part) : nil
    let isRepeated = place.map { name > 0 && messages[$0].answer == name } ?? false
    if let place { note(place, name, row, &remarks) }
    // Of what reads a stream, only the first value answers a question that may be older than another's.
    let isFirst = !isRepeated && !streams.contains(question)
    let newer = max(
      isFirst ? its.flatMap { newestByAnswer[$0] } ?? 0 : 0,
      asked.flatMap { newestByMessage[$0] } ?? 0)
    if question < newer {
      outOfDate = (row.seq, question, newer)
    } else {
      if let its { Self.note(question, of: its, in: &newestByAnswer) }
      if let asked { Self.note(question, of: asked, in: &newestByMessage) }
    }
  }

  /// Notes the answer of a message that is remembered.
  private mutating func note(
    _ place: Int, _ name: Int32, _ row: EventRow, _ remarks: inout [TrackRemark]
  ) {
    let message = messages[place]
    if name > 0, questions.count < Self.mostNames { questions.insert(message.row.state) }
    if message.answer == name, name > 0, !message.isDoubled {
      messages[place].isDoubled = true
      remarks.append(TrackRemark(.answeredTwice, row, question: called(message.seq)))
    }
    if name > 0 { countWait(place, row) }
    if name != Later.same || !message.isAnswered { messages[place].answer = name }
    if message.isAnswered { return }
    if message.earlier != 0 {
      remarks.append(TrackRemark(.askedTwice, message.row, question: called(message.earlier)))
    }
  }

  private static func note(_ origin: Int64, of kind: Kind, in newest: inout [Kind: Int64]) {
    if newest.count < mostNames || newest[kind] != nil { newest[kind] = origin }
  }

  /// Takes a change of the track.
  mutating func move(_ row: EventRow, _ move: Move, _ remarks: inout [TrackRemark]) {
    let isChange = move == .changed || move == .changedName
    let cause = row.inside != 0 ? row.inside : row.ownCause
    if cause == 0 {
      // A path may be changed by the platform at any time.
      if isChange, hasMessages, row.reason == 0 {
        remarks.append(TrackRemark(.uncausedChange, row))
      }
      return
    }
    guard let place = messages.lastIndex(where: { $0.seq == cause }) else { return }
    // What an asynchronous call does behind another message, or later than it began, is an answer to the call
    // itself.
    let isFlow =
      row.inside == 0 && (place < messages.count - 1 || hasWaited(messages[place], until: row.time))
    if isFlow, isChange { countWait(place, row) }
    if !isFlow, row.inside == 0, messages[place].moved == nil {
      messages[place].hasPerhapsWaited = row.time &- messages[place].row.time >= Self.pause
    }
    messages[place].moved = row.time
    let question = isFlow ? cause : messages[place].question
    if isFlow {
      let what = move == .same ? Later.same : Later.change
      answer(question, what, part: messages[place].part, row, &remarks)
    }
    if isChange { messages[place].hasChanged = true }
    if move == .changedName { messages[place].hasChangedName = true }
    if question == 0 { return }
    // Messages in the handling of an answer are a part of it.
    if isFlow ? outOfDate.seq == row.seq : outOfDate.question == question {
      if move == .same { return }
      return remarks.append(
        TrackRemark(
          move == .unknown ? .answerPerhapsOutOfDate : .answerOutOfDate, row,
          question: called(outOfDate.question), newer: called(outOfDate.newer)))
    }
    guard isChange else { return }
    remark(row, place, question, changesName: move == .changedName, &remarks)
    messages[place].answerChange = row.seq
  }

  /// Whether a call has waited for something since it set the track last, or since it began.
  private func hasWaited(_ message: Message, until time: Int64) -> Bool {
    if message.answer < 0 { return true }
    return message.moved.map { time &- $0 >= Self.pause }
      ?? (time &- message.row.time >= Self.beginning)
  }

  /// Counts the times that a call has changed the track behind a wait: behind three, it is a source of changes.
  private mutating func countWait(_ place: Int, _ row: EventRow) {
    let isMove = row.kind == EventKind.moved.rawValue
    if isMove, let last = messages[place].moved, row.time &- last < Self.pause { return }
    messages[place].waits += 1
    if messages[place].waits == 3 { messages[place].sourceSince = row.seq }
  }

  /// Says what else has come since the question of an answer that changes the track.
  private mutating func remark(
    _ row: EventRow, _ place: Int, _ question: Int64, changesName: Bool,
    _ remarks: inout [TrackRemark]
  ) {
    guard let its = messages.lastIndex(where: { $0.seq == question }) else { return }
    let asked = messages[its]
    // What was said of one value of a stream counts for the next.
    let place = asked.waits > 1 ? its : place
    let since = messages.filter {
      // The same may be asked again and ignored. What is about the whole is about each part.
      $0.seq > question && ($0.part == asked.part || $0.part == 0 && $0.hasChangedName)
        && ($0.row.state != asked.row.state || $0.hasChanged)
    }
    let users = since.filter { ($0.isUsers || $0.isPassedOn) && !$0.hasCrossingAnswer }
    // What reads a stream goes on for as long as its screen is there, whatever the user does.
    let source = changesName ? 0 : messages[place].sourceSince
    if let newer = users.last(where: { $0.hasChangedName && !$0.hasPerhapsWaited }),
      source == 0 || source > newer.seq
    {
      // One warning for each answer and what it comes behind.
      if messages[place].toldBehind == newer.seq { return }
      messages[place].toldBehind = newer.seq
      return wait(
        TrackRemark(.answerBehindUser, row, question: called(question), newer: called(newer.seq)))
    }
    // One note for each answer.
    if messages[place].isTold { return }
    // Whether the answer has undone a change within a name is not known.
    if let newer = users.last(where: \.hasChanged) ?? users.last {
      wait(
        TrackRemark(
          newer.hasChanged ? .answerBehindChange : .answerBehindIgnored, row,
          question: called(question), newer: called(newer.seq)))
    } else if let other = crossing(place, asked) {
      remarks.append(
        TrackRemark(.answerBehindAnswer, row, question: called(question), newer: called(other)))
    } else {
      return
    }
    messages[place].isTold = true
  }

  /// Another question whose answer has changed the track since a question.
  private func crossing(_ place: Int, _ asked: Message) -> Int64? {
    for other in messages.indices.reversed() where other != place {
      let message = messages[other]
      guard message.answerChange > asked.seq, message.part == asked.part else { continue }
      let its = message.question == 0 ? message.seq : message.question
      let name = messages.last { $0.seq == its }?.row.state
      if its != asked.seq, name != asked.row.state { return its }
    }
    return nil
  }

  private mutating func wait(_ remark: TrackRemark) {
    if behindUser.count == Self.mostBehindUser { behindUser.removeFirst() }
    behindUser.append(remark)
  }
}
