/// What is wrong with a name that somebody gave.
public enum RegistryError: Error, Equatable, CustomStringConvertible {
  /// No controller can be made by this name; these are the names there are.
  case unknownController(String, known: [String])

  /// What was asked, what there is, and what to do.
  public var description: String {
    switch self {
    case .unknownController(let name, let known):
      "There is no controller called '\(name)' to replay with. There are: "
        + known.joined(separator: ", ")
        + ". Register an app's own in the tool that links it."
    }
  }
}
