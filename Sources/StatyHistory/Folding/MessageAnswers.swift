import Staty

/// The messages of a track and their answers, remembered to see which answers are late, missing or doubled.
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
    /// What was done to the track in its handling, and by its answers.
    var effect = Effect.none
    var crossing = Effect.none
    var answer = Answer.none
    /// Whether a second answer of one name has been told.
    var isDoubled = false
    /// The last change that was an answer: its own, or one of its call; 0 if there was none.
    var answerChange: Int64 = 0
    /// Whether its first change came so late in its own handling that it may have waited for it.
    var hasPerhapsWaited = false
    /// Whether one of its changes has been told as late.
    var isTold = false
    /// The user's message after which its last change was told as late.
    var toldBehind: Int64 = 0
    /// The newer question for which an answer of it was told as out of date, and that answer's name.
    var toldOutOfDate: (newer: Int64, answer: Int32) = (0, 0)
    /// How often its call has changed the track behind something that it waited for, or it was answered.
    var waits = 0
    /// The change at which it was known to go on changing the track, such as the reader of a stream; 0 before that.
    var sourceSince: Int64 = 0

    var seq: Int64 { row.seq }
    var isAnswered: Bool { answer != .none }
    /// Whether it is known to go on, such as the reader of a stream.
    var isSource: Bool { isDoubled || waits > 1 }
    /// Whether neither it nor an answer of it has done anything.
    var isIgnored: Bool { isAnswered && effect == .none && crossing == .none }
    var hasChanged: Bool { effect >= .changed }
    /// Whether an answer of it has changed the track.
    var hasCrossed: Bool { crossing >= .changed }
    /// Whether it has set the track so that a late answer undoes that.
    var isUndone: Bool { effect == .changedName && !hasPerhapsWaited }
    /// Whether the user sent it, as far as a recording says.
    var isUsers: Bool { question == 0 && row.inside == 0 }
    /// Whether another model passed it on in the handling of what the user sent there.
    let isPassedOn: Bool
  }

  /// What was done to the track; of several things, the most.
  private enum Effect: Comparable {
    /// Nothing was, or the same is shown as before.
    case none
    /// The same phase was set anew, which is one of the two next to it: the model has not ignored its message.
    case phase
    /// The name is the same, and perhaps the values are not.
    case perhaps
    case changed
    case changedName
  }

  /// The last answer of a message: one of this name, or what its call did behind something that it waited for.
  private enum Answer: Equatable {
    case none
    case named(Int32)
    case change
    /// The track was set, and shows the same as before.
    case same
  }

  /// A name of messages, or of their answers, and the part that they are about.
  private struct Kind: Hashable {
    let name: Int32
    let part: Int32
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
  /// The answers behind a message of the user's: if an answer to that message changes something, the two only cross.
  private var behindUser: [Behind] = []
  /// The questions whose answers come behind each thing that the user does: those of a reader, and no late ones.
  private var readers: Set<Int64> = []
  /// The messages that were answered again and again and are forgotten.
  private var streams: Set<Int64> = []
  private var hasMessages = false
  /// The question whose answer changed the track last, or the message that did.
  private var lastChange: Int64 = 0
  /// The last pop of a path outside of any message, such as a swipe back.
  private var lastPop: Int64 = 0
  /// What was sent and has not been received yet, by its name: how many, and the last of them.
  private var sent: [Int32: (count: Int, last: EventRow)] = [:]
  /// The hash of what the track shows; 0 if that is not known.
  private var fingerprint = Fingerprint.none
  /// What is to be said of a track whose recording has ended.
  private var left: [TrackRemark] = []

  /// How many messages may come between a message and its answer.
  private static let mostMessages = 64
  /// How many of the oldest are remembered longer, because they have no answer yet.
  private static let mostWaiting = 16
  /// No model has more names; one that makes names without end must not fill the memory.
  private static let mostNames = 256
  private static let mostBehindUser = 64
  /// Behind how many messages of the user's the answers of one question come that is no late one.
  private static let fewestOfReader = 3
  /// How long after its beginning a call may set the track and not have waited for anything, in
  /// microseconds: its thread may have been busy, and no user sees a shorter wait.
  static let beginning: Int64 = 50_000
  /// The same between two changes: several variables are set one after the other.
  private static let pause: Int64 = 5_000

  /// What is to be said of late answers where the recording goes on in another session.
  ///
  /// An answer to what they come behind, which makes the two cross, is only known there.
  var waiting: [TrackRemark] { behindUser.map(\.asNote.remark) }

  /// The same behind lost events, where what was asked may have been answered: an answer that was late may only
  /// have crossed another, which was lost or comes now.
  var behindLoss: MessageAnswers {
    var kept = MessageAnswers()
    (kept.left, kept.behindUser, kept.readers, kept.streams) = (
      left, behindUser.map(\.asNote), readers, streams
    )
    let crossed = Set(behindUser.flatMap(\.messages))
    kept.messages = messages.filter { crossed.contains($0.seq) }
    for place in kept.messages.indices where !kept.messages[place].isAnswered {
      kept.messages[place].answer = .same
    }
    return kept
  }

  /// What is to be said if the session ends here.
  var pending: [TrackRemark] {
    left + behindUser.map(\.remark) + messages.compactMap(unanswered)
      + sent.values.map { TrackRemark(.neverReceived, $0.last) }
  }

  /// Keeps only what is to be said at the end, because no message comes any more.
  mutating func end() {
    let (pending, shown) = (pending, fingerprint)
    self = MessageAnswers()
    (left, fingerprint) = (pending, shown)
  }

  /// Takes a message that was sent, and will be received unless something drops it.
  mutating func send(_ row: EventRow) {
    guard sent.count < Self.mostNames || sent[row.state] != nil else { return }
    sent[row.state] = ((sent[row.state]?.count ?? 0) + 1, row)
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
    if !sent.isEmpty, let one = sent[row.state] {
      sent[row.state] = one.count == 1 ? nil : (one.count - 1, one.last)
    }
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
    // Only a damaged file has names below 0.
    let name = row.state == 0 ? Answer.none : row.state > 0 ? .named(row.state) : .change
    if isAnswer { answer(row.ownCause, name, part: its, row, &remarks) }
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
    remarks += behindUser.map(\.remark).filter { !kept.contains($0.newer.seq) }
    behindUser.removeAll { !kept.contains($0.remark.newer.seq) }
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
  ///   - part: the part that the answer is about.
  ///   - row: the answer, or the move of the track that the call makes.
  private mutating func answer(
    _ question: Int64, _ answer: Answer, part: Int32, _ row: EventRow,
    _ remarks: inout [TrackRemark]
  ) {
    let place = messages.lastIndex { $0.seq == question }
    let asked = place.map { Kind(name: messages[$0].row.state, part: messages[$0].part) }
    var its: Kind?
    if case .named(let name) = answer { its = Kind(name: name, part: part) }
    let isRepeated = place.map { its != nil && messages[$0].answer == answer } ?? false
    if let place { note(place, answer, row, &remarks) }
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
    _ place: Int, _ answer: Answer, _ row: EventRow, _ remarks: inout [TrackRemark]
  ) {
    let message = messages[place]
    if case .named = answer {
      if questions.count < Self.mostNames { questions.insert(message.row.state) }
      if message.answer == answer, !message.isDoubled {
        messages[place].isDoubled = true
        remarks.append(TrackRemark(.answeredTwice, row, question: called(message.seq)))
      }
      countWait(place, row)
    }
    if answer != .same || !message.isAnswered { messages[place].answer = answer }
    if !message.isAnswered, message.earlier != 0 {
      remarks.append(TrackRemark(.askedTwice, message.row, question: called(message.earlier)))
    }
  }

  /// Notes that an answer has changed the track, or may have: what came behind its question crosses it.
  ///
  /// - Parameter places: the places of the question and of those before it.
  private mutating func cross(_ places: [Int], _ effect: Effect) {
    for place in places { messages[place].crossing = max(messages[place].crossing, effect) }
    if behindUser.isEmpty { return }
    let crossed = Set(places.map { messages[$0].seq })
    guard behindUser.contains(where: { $0.isBehind(crossed) }) else { return }
    behindUser = behindUser.compactMap { $0.crossed(by: crossed, isCertain: effect >= .changed) }
  }

  /// The places of a question, of the one that it answers itself, and so on.
  private func origins(of question: Int64) -> [Int] {
    var places: [Int] = []
    var question = question
    while question != 0, let place = messages.lastIndex(where: { $0.seq == question }),
      place < places.last ?? .max
    {
      places.append(place)
      question = messages[place].question
    }
    return places
  }

  private static func note(_ origin: Int64, of kind: Kind, in newest: inout [Kind: Int64]) {
    if newest.count < mostNames || newest[kind] != nil { newest[kind] = origin }
  }

  /// Takes a move of the track, which may keep the name of its state, and the hash of what it shows then.
  mutating func move(
    _ row: EventRow, keepsName: Bool, _ now: UInt32, _ remarks: inout [TrackRemark]
  ) {
    let move = effectOfShowing(now, keepsName: keepsName)
    let isChange = move >= .changed
    let cause = row.inside != 0 ? row.inside : row.ownCause
    if cause == 0 {
      // A path may be changed by the platform at any time.
      if row.reason == EventReason.movedPop.code { lastPop = row.seq }
      if isChange, hasMessages, row.reason == 0 {
        remarks.append(TrackRemark(.uncausedChange, row))
      }
      return
    }
    guard let place = messages.lastIndex(where: { $0.seq == cause }) else { return }
    // What an asynchronous call does behind another message, or later than it began, is an answer to the call itself.
    let isFlow =
      row.inside == 0 && (place < messages.count - 1 || hasWaited(messages[place], until: row.time))
    if isFlow, isChange { countWait(place, row) }
    if !isFlow, row.inside == 0, messages[place].moved == nil {
      messages[place].hasPerhapsWaited = row.time &- messages[place].row.time >= Self.pause
    }
    messages[place].moved = row.time
    let question = isFlow ? cause : messages[place].question
    if isFlow {
      let part = messages[place].part
      answer(question, move == .none ? .same : .change, part: part, row, &remarks)
    }
    let origin = question == 0 ? cause : question
    // A phase that its own message has brought shows the same as before.
    let effect = move != .phase ? move : lastChange == origin ? .none : .perhaps
    defer { messages[place].effect = max(messages[place].effect, effect) }
    if isChange { lastChange = origin }
    if question == 0 { return }
    let places = effect == .none ? [] : origins(of: question)
    if effect != .none { cross(places, effect) }
    // Messages in the handling of an answer are a part of it.
    if isFlow ? outOfDate.seq == row.seq : outOfDate.question == question {
      if move == .none { return }
      // Of what reads a stream, each value is out of date for the same reason.
      if let its = messages.lastIndex(where: { $0.seq == outOfDate.question }) {
        let now = (newer: outOfDate.newer, answer: isFlow ? 0 : messages[place].row.state)
        let isTold = messages[its].toldOutOfDate == now
        messages[its].toldOutOfDate = now
        if isTold, isFlow || messages[its].isSource { return }
      }
      let kind: TrackRemark.Kind = move == .perhaps ? .answerPerhapsOutOfDate : .answerOutOfDate
      let (question, newer) = (called(outOfDate.question), called(outOfDate.newer))
      return remarks.append(TrackRemark(kind, row, question: question, newer: newer))
    }
    guard isChange else { return }
    remark(row, place, places, changesName: move == .changedName, &remarks)
    messages[place].answerChange = row.seq
  }

  private mutating func effectOfShowing(_ now: UInt32, keepsName: Bool) -> Effect {
    let before = fingerprint
    if now != Fingerprint.same { fingerprint = now }
    if !keepsName { return .changedName }
    switch now {
    case Fingerprint.none: return .phase
    case Fingerprint.same: return .none
    case _ where now <= Fingerprint.unknown || before <= Fingerprint.unknown: return .perhaps
    default: return now == before ? .none : .changed
    }
  }

  /// Whether a call has waited for something since it set the track last, or since it began.
  private func hasWaited(_ message: Message, until time: Int64) -> Bool {
    if message.answer == .change || message.answer == .same { return true }
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
    _ row: EventRow, _ place: Int, _ places: [Int], changesName: Bool,
    _ remarks: inout [TrackRemark]
  ) {
    guard let direct = places.first else { return }
    // An answer that changes nothing may have begun the next question; the values of a stream begin many.
    var its = direct
    for before in places.dropFirst() {
      if messages[its].hasChanged || messages[its].isSource || messages[before].isSource { break }
      its = before
    }
    let asked = messages[its]
    // What was said of one value of a stream counts for the next.
    let place = asked.waits > 1 ? its : place
    let since = messages.filter {
      // The same may be asked again and ignored. What is about the whole is about each part.
      $0.seq > asked.seq && ($0.part == asked.part || $0.part == 0 && $0.effect == .changedName)
        && ($0.row.state != asked.row.state || $0.hasChanged)
    }
    let users = since.filter { ($0.isUsers || $0.isPassedOn) && !$0.hasCrossed && !$0.isIgnored }
    // What reads a stream goes on for as long as its screen is there, whatever the user does.
    let source = changesName ? 0 : messages[place].sourceSince
    let undone = users.filter(\.isUndone)
    if let newer = undone.last, source == 0 || source > newer.seq {
      // One warning for each answer and what it comes behind.
      if messages[place].toldBehind == newer.seq { return }
      messages[place].toldBehind = newer.seq
      // An answer that has only begun the next question may be a value of a stream, which is not late.
      let isOfDirect = newer.seq > messages[direct].seq
      let remark = TrackRemark(
        isOfDirect && newer.crossing == .none ? .answerBehindUser : .answerBehindChange, row,
        question: called(isOfDirect ? messages[direct].seq : asked.seq), newer: called(newer.seq))
      let older = undone.dropLast().filter { !isOfDirect || $0.seq > messages[direct].seq }
      return wait(Behind(remark, older: older.map { called($0.seq) }))
    }
    // One note for each answer.
    if messages[place].isTold { return }
    let question = TrackRemark.Message(seq: asked.seq, name: asked.row.state)
    // Whether the answer has undone a change within a name is not known.
    if let newer = users.last(where: { $0.effect != .none }) ?? users.last {
      let kind: TrackRemark.Kind =
        newer.effect != .none ? .answerBehindChange : .answerBehindIgnored
      wait(Behind(TrackRemark(kind, row, question: question, newer: called(newer.seq))))
    } else if row.reason == EventReason.movedPush.code, lastPop > asked.seq {
      let pop = TrackRemark.Message(seq: lastPop)
      remarks.append(TrackRemark(.answerBehindPop, row, question: question, newer: pop))
    } else if let other = crossing(place, asked, places.map { messages[$0].seq }) {
      let newer = called(other)
      remarks.append(TrackRemark(.answerBehindAnswer, row, question: question, newer: newer))
    } else {
      return
    }
    messages[place].isTold = true
  }

  /// Another question whose answer has changed the track since a question.
  ///
  /// - Parameter own: the questions of the answer itself.
  private func crossing(_ place: Int, _ asked: Message, _ own: [Int64]) -> Int64? {
    for other in messages.indices.reversed() where other != place {
      let message = messages[other]
      guard message.answerChange > asked.seq, message.part == asked.part else { continue }
      let its = message.question == 0 ? message.seq : message.question
      let name = messages.last { $0.seq == its }?.row.state
      if !own.contains(its), name != asked.row.state { return its }
    }
    return nil
  }

  private mutating func wait(_ behind: Behind) {
    let question = behind.remark.question.seq
    if behind.isWarning, readers.contains(question) { return }
    if behindUser.count == Self.mostBehindUser { behindUser.removeFirst() }
    behindUser.append(behind)
    func isAlike(_ other: Behind) -> Bool {
      other.isWarning && other.remark.question.seq == question
    }
    guard behind.isWarning, readers.count < Self.mostNames,
      Set(behindUser.filter(isAlike).map(\.remark.newer.seq)).count >= Self.fewestOfReader
    else { return }
    readers.insert(question)
    // One note for all of them.
    behindUser.removeAll(where: isAlike)
    behindUser.append(behind.asNote)
  }
}

/// An answer that changed the track behind a message of the user's.
private struct Behind: Sendable {
  private(set) var remark: TrackRemark
  /// The messages before that one which it comes behind, too, the newest last, and whether an answer to one may
  /// have changed the track.
  private var older: [(message: TrackRemark.Message, isPerhaps: Bool)] = []

  init(_ remark: TrackRemark, older: [TrackRemark.Message] = []) {
    self.remark = remark
    self.older = older.map { ($0, false) }
  }

  var isWarning: Bool { remark.kind == .answerBehindUser }

  /// The same, which may be right.
  var asNote: Behind {
    var other = self
    if isWarning { other.remark = remark.as(.answerBehindChange) }
    return other
  }

  /// The messages that it comes behind.
  var messages: [Int64] { older.map(\.message.seq) + [remark.newer.seq] }
  /// Whether it comes behind one of these messages.
  func isBehind(_ messages: Set<Int64>) -> Bool {
    messages.contains(remark.newer.seq) || older.contains { messages.contains($0.message.seq) }
  }

  /// The same if answers to these messages have changed the track, or may have; `nil` if nothing is left.
  func crossed(by messages: Set<Int64>, isCertain: Bool) -> Behind? {
    var other = self
    if isCertain {
      other.older.removeAll { messages.contains($0.message.seq) }
    } else {
      for place in older.indices where messages.contains(older[place].message.seq) {
        other.older[place].isPerhaps = true
      }
    }
    guard messages.contains(remark.newer.seq) else { return other }
    if !isCertain { return other.asNote }
    guard let before = other.older.popLast() else { return nil }
    other.remark = remark.as(remark.kind, behind: before.message)
    return before.isPerhaps ? other.asNote : other
  }
}
