import Staty
import StatyHistory

/// Where an input goes that was recorded inside the handling of another: told by somebody outside,
/// who has to be played, or made by the controller, which will make it again by itself.
///
/// The recording does not say which. A replay supposes the one, and when that cannot have been it
/// is begun anew with the other.
struct Placement {
  /// What a controller makes by itself, all of a sort or none.
  enum Making: Hashable {
    case requests
    case others

    init(_ kind: EventKind?) { self = kind == .enqueued ? .requests : .others }
  }

  private struct Maker: Hashable {
    let controller: Int32
    let making: Making
  }

  /// So many inputs are told in another place than is usually supposed: each costs a replay.
  private static let most = 64
  /// The controllers that were seen to make inputs by themselves.
  private var makers: Set<Maker> = []
  /// Those that were seen to say to themselves what states say.
  private var speakers: Set<Int32> = []
  /// The inputs that are told as soon as it is their turn, whatever is usually supposed.
  private var early: Set<Int64> = []

  /// Whether the controller is supposed to make such by itself.
  private func makes(_ making: Making, _ controller: Int32) -> Bool {
    makers.contains(Maker(controller: controller, making: making))
  }

  /// Whether the controller says to itself what states say.
  func speaksForStates(_ controller: Int32) -> Bool {
    speakers.contains(controller) || makes(.others, controller)
  }

  /// The controller said something to itself.
  mutating func noteSpeaking(_ controller: Int32) {
    speakers.insert(controller)
  }

  /// Whether the input is told at the first place where it can be, in the midst of a handling.
  func isEarly(_ seq: Int64) -> Bool { early.contains(seq) }

  /// Whether any input is.
  var hasEarly: Bool { !early.isEmpty }

  /// From now on the controller is supposed to make such by itself.
  ///
  /// - Returns: whether that is news; without it, beginning anew would not help.
  mutating func await(_ making: Making, of controller: Int32) -> Bool {
    makers.insert(Maker(controller: controller, making: making)).inserted
  }

  /// From now on the input is supposed to be told early.
  ///
  /// - Returns: whether that is news.
  mutating func tellEarly(_ seq: Int64) -> Bool {
    !isFull && early.insert(seq).inserted
  }

  /// Whether nothing more is supposed of single inputs.
  var isFull: Bool { early.count >= Self.most }
}
