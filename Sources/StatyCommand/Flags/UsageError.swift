/// An invalid command line: what is wrong, and the right usage.
struct UsageError: Error, Equatable {
  /// What is wrong, in one or two sentences.
  let message: String
  /// The verb that was used; none if there was none.
  let verb: String?
  /// The usage line, after the tool's name.
  let usage: String

  /// An error in the words after a verb.
  init(_ message: String, verb: VerbSpec) {
    self.message = message
    self.verb = verb.name
    usage = verb.usage
  }

  /// The verb is missing or unknown.
  init(_ message: String) {
    self.message = message
    verb = nil
    usage = "<subcommand>"
  }
}
