/// What is under way on a thread: each in the one before.
///
/// A controller of ours performs what it decided one after the other, in a work of its own. That begins
/// where the controller is told something while it is at rest; whatever it is told in its work it goes on
/// with when that is done.
struct CallStack {
  /// An event that another happens in.
  struct Link: Equatable {
    var seq: Int64 = 0
    /// Whether that is when observers are told of it.
    var isHeard = false
  }

  /// How a controller stands to what is innermost.
  struct Standing {
    /// Whether anything of it is under way; `nil` if that is not known.
    var isUnderWay: Bool? = false
    /// Whether it is known to be at work.
    var isAtWork = false
    /// Whether it may be at work, further out than a step that may have run in anything.
    var mayBeAtWork = false
    /// Whether its observers are told something, so that they hear later of what it makes now; `nil` if
    /// that is not known.
    var isDelivering: Bool? = false
  }

  private struct Frame {
    enum Kind {
      /// Nothing is under way.
      case bottom
      /// The work of a controller of ours.
      case work
      /// What an event says is done: a state is told, or an opaque controller does something about it.
      case handled
      /// Observers are told of an event.
      case heard
      /// What comes next may have happened in anything, or after it.
      case anywhere
      /// An event of which nothing is known.
      case unknown
    }

    let kind: Kind
    var seq: Int64 = 0
    var controller: Int32 = 0
    /// Whether a state is told something, by an opaque controller.
    var isOpaqueOrder = false
    /// Of a work, whether there may be one further out that is the only one.
    var isSupposed = false
    /// Of a work, whether anything was done in it.
    var isBegun = false
    /// The order that was given last in this before something else happened here; 0 if none was.
    ///
    /// Mostly it had been carried out. But observers may be told that it is about to be, and what they
    /// do happens here; then it is carried out.
    var interrupted: Int64 = 0
  }

  /// More would be too many for a thread's stack.
  private static let deepest = 1_024
  private var frames = [Frame(kind: .bottom)]
  private var isCutOff = false

  /// Whether more may be under way than is known of.
  var isUncertain: Bool { isCutOff || frames.contains { $0.kind == .unknown } }

  /// What happens now happens in this.
  var innermost: Link { link(at: frames.count - 1) }

  func standing(of controller: Int32) -> Standing {
    var standing = Standing()
    var (isKnown, isSettled) = (true, false)
    for frame in frames.dropFirst().reversed() {
      let isOwn = frame.controller == controller && frame.kind != .unknown
      if isOwn {
        if !isSettled { (standing.isUnderWay, isSettled) = (true, true) }
        if frame.kind == .heard, standing.isDelivering == false {
          standing.isDelivering = isKnown ? true : nil
        }
        if frame.kind == .work {
          standing.isAtWork = isKnown
          standing.mayBeAtWork = !isKnown
          return standing
        }
      }
      if frame.kind == .anywhere || frame.kind == .unknown {
        if !isSettled {
          (standing.isUnderWay, isSettled) = (frame.kind == .unknown ? true : nil, true)
        }
        isKnown = false
      }
    }
    return standing
  }

  /// What observers of a controller are told in, if they are.
  func delivery(of controller: Int32) -> Link? {
    guard let place = hearing(of: controller) else { return nil }
    let isHandled = frames[place - 1].kind == .handled && frames[place - 1].seq == frames[place].seq
    return link(at: isHandled ? place - 2 : place - 1)
  }

  private func hearing(of controller: Int32) -> Int? {
    frames.lastIndex { $0.kind == .heard && $0.controller == controller }
  }

  private func link(at place: Int) -> Link {
    var place = place
    while frames[place].kind == .work || frames[place].kind == .anywhere { place -= 1 }
    return Link(seq: frames[place].seq, isHeard: frames[place].kind == .heard)
  }
}

// MARK: What begins

extension CallStack {
  /// - Parameter isSupposed: whether the controller may be at work further out instead.
  mutating func beginWork(of controller: Int32, isSupposed: Bool) {
    push(Frame(kind: .work, controller: controller, isSupposed: isSupposed))
  }

  mutating func beginHandling(_ seq: Int64, of controller: Int32, isOpaqueOrder: Bool = false) {
    push(Frame(kind: .handled, seq: seq, controller: controller, isOpaqueOrder: isOpaqueOrder))
  }

  mutating func beginHearing(_ seq: Int64, of controller: Int32) {
    push(Frame(kind: .heard, seq: seq, controller: controller))
  }

  /// An event happens in anything: in what is under way, or after that.
  mutating func beginAnywhere(_ seq: Int64, of controller: Int32) {
    // They do not pile up while nothing happens in them.
    if let last = frames.last, last.controller == controller,
      let place = frames.lastIndex(where: { $0.seq != last.seq || $0.kind == .anywhere }),
      frames[place].kind == .anywhere, frames[place].seq == last.seq
    {
      frames.removeSubrange(place...)
    }
    push(Frame(kind: .anywhere, seq: seq, controller: controller))
    beginHandling(seq, of: controller)
    beginHearing(seq, of: controller)
  }

  mutating func beginUnknown(_ seq: Int64) {
    while let last = frames.last, last.kind == .unknown { frames.removeLast() }
    push(Frame(kind: .unknown, seq: seq))
  }

  private mutating func push(_ frame: Frame) {
    if frames.count == Self.deepest {
      frames.removeSubrange(1..<(Self.deepest / 2))
      isCutOff = true
    }
    frames.append(frame)
  }
}

// MARK: What is left

extension CallStack {
  /// Leaves everything further in than this; `false` if it is not under way.
  mutating func goOn(in link: Link) -> Bool {
    guard let place = place(of: link) else { return false }
    if place == 0 { isCutOff = false }
    leave(downTo: place)
    return true
  }

  private func place(of link: Link) -> Int? {
    if link.seq == 0 { return 0 }
    return frames.lastIndex {
      guard $0.seq == link.seq else { return false }
      return switch $0.kind {
      case .bottom, .work, .anywhere: false
      case .handled: !link.isHeard
      case .heard: link.isHeard
      case .unknown: true
      }
    }
  }

  private mutating func leave(downTo place: Int) {
    let next = place + 1
    guard next < frames.count else { return }
    if frames[next].isOpaqueOrder { frames[place].interrupted = frames[next].seq }
    while frames.count > next {
      let left = frames.removeLast()
      if left.isSupposed, left.isBegun { noteSettled(left.controller, below: next) }
    }
  }

  /// A controller did something in a work that was supposed, and what that was in goes on: it was not at
  /// work further out, for there it would have waited.
  private mutating func noteSettled(_ controller: Int32, below end: Int) {
    let step = frames[..<end].lastIndex { $0.kind == .anywhere || $0.kind == .unknown }
    for place in 0..<(step ?? 0)
    where frames[place].kind == .work && frames[place].controller == controller {
      frames[place].controller = 0
    }
  }

  /// Leaves everything further in than the work of a controller; `false` if it is not at work.
  mutating func goOn(inWorkOf controller: Int32) -> Bool {
    let work = frames.lastIndex { $0.kind == .work && $0.controller == controller }
    guard let work else { return false }
    frames.removeSubrange((work + 1)...)
    frames[work].isBegun = true
    return true
  }

  /// An order of an opaque controller is carried out that something came before; `false` if it cannot be
  /// any more.
  mutating func goOn(withOrder seq: Int64, of controller: Int32) -> Bool {
    guard let place = frames.lastIndex(where: { $0.interrupted == seq }) else { return false }
    frames.removeSubrange((place + 1)...)
    beginHandling(seq, of: controller, isOpaqueOrder: true)
    return true
  }

  /// Observers of a controller are told of the next that waited until they had been told of another;
  /// `false` if they are not told anything.
  mutating func goOn(hearing seq: Int64, of controller: Int32) -> Bool {
    let place = frames.lastIndex {
      // It was made after what they are told of.
      $0.kind == .heard && $0.controller == controller && $0.seq < seq
    }
    guard let place else { return false }
    frames.removeSubrange(place...)
    beginHearing(seq, of: controller)
    return true
  }
}
