/// A visit that an assumption is about.
public struct AssumedVisit: Hashable, Sendable {
  /// The number of the controller in the file.
  public var controller: Int32
  /// Its number in the replay; `nil` if it was not played.
  public var played: UInt32?
  /// Its number in the recording; `nil` if it is not there.
  public var recorded: UInt32?
  /// The name of its state; `nil` if it is not known.
  public var state: String?
}
