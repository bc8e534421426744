/// Somebody who stands inside what a probe reports, and not behind it as an observer does.
///
/// An event made while another is on its way to observers reaches them later, when what it set off
/// is done already. A follower is called at once, in the place of what happened: a replay has to
/// know of an output before the state is told, and tells what was recorded inside from inside.
package protocol ProbeFollower: AnyObject {
  /// Whoever asks now asks for a state of this name, if the controller does not name it.
  var requestedName: StateName? { get }

  /// The probe made an event about an object. Observers are told of it next, or when they have heard
  /// of what they are being told; then comes what it brackets.
  ///
  /// - Returns: whether what it brackets is to be done at all.
  func made(_ event: TransitionEvent, about object: AnyObject?) -> Bool

  /// What the event brackets is done; what the follower does now still has it as its cause.
  func finished(_ event: TransitionEvent)

  /// The controller puts off a step, which has this number among its steps.
  func putOff(_ step: UInt32)
}

extension ProbeFollower {
  package func putOff(_ step: UInt32) {}
}
