/// Why a given name cannot be used.
public enum RegistryError: Error, Equatable, CustomStringConvertible {
  /// No controller can be made by this name; `known` lists the names that exist.
  case unknownController(String, known: [String])
  /// The name is that of a policy, and a track's messages cannot be told to a policy.
  case policyForTrack(String, track: String)

  /// The wrong name, the known ones, and what to do.
  public var description: String {
    switch self {
    case .unknownController(let name, let known):
      "There is no controller called '\(name)' to replay with. There are: "
        + known.joined(separator: ", ")
        + ". Register an app's own controller or model."
    case .policyForTrack(let name, let track):
      "'\(name)' is a policy, and no policy receives the messages of the track '\(track)'. Name a "
        + "registered model."
    }
  }
}
