/// What the model knows of an open visit.
struct VisitRecord {
  /// How far it is.
  enum Phase: UInt8 {
    case waiting
    case entering
    case entered
    case exiting
  }

  /// An event that the visit will be reminded of.
  struct Moment {
    var seq: Int64 = 0
    var time: Int64 = 0
  }

  var visit: UInt32 = 0
  var state: Int32 = 0
  var priority: Int32 = 0
  var phase = Phase.waiting
  var past = VisitPast()
  /// When it was asked for.
  var asked = Moment()
  /// When it was told to come in.
  var told = Moment()
  /// When it was told to leave.
  var dismissed = Moment()
  /// The first that came in before it though asked for later; its number is 0 if there is none.
  var jumper = Jumper()
  /// Its neighbours among those that wait, or among those on the stage.
  var next: Int32 = -1
  var previous: Int32 = -1

  struct Jumper {
    var seq: Int64 = 0
    var visit: UInt32 = 0
    var state: Int32 = 0
  }

  var isOnStage: Bool { phase != .waiting }
  var isMoving: Bool { phase == .entering || phase == .exiting }
}

/// What has happened to a visit.
struct VisitPast: OptionSet {
  let rawValue: UInt16

  static let toldToEnter = VisitPast(rawValue: 1)
  static let wasIn = VisitPast(rawValue: 2)
  static let toldToLeave = VisitPast(rawValue: 4)
  /// A deadline gave it up while it was coming in.
  static let skipped = VisitPast(rawValue: 8)
  static let exited = VisitPast(rawValue: 16)
  static let discarded = VisitPast(rawValue: 32)
  /// It did something after it was over; what it does next says nothing any more.
  static let judged = VisitPast(rawValue: 64)
  /// It was asked for where nothing was shown any more.
  static let askedAnew = VisitPast(rawValue: 128)
  /// After events were lost it was seen again when it was told to leave: it is taken to have been in.
  static let seenLeaving = VisitPast(rawValue: 256)
  /// It said that it was in, when it had been told to leave.
  static let saidIn = VisitPast(rawValue: 512)
}
