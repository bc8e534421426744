/// A command line that cannot be understood: what is the matter, and how it is to be.
struct UsageError: Error, Equatable {
  /// What is the matter, in one sentence or two.
  let message: String
  /// The verb it was given to; none if there was none.
  let verb: String?
  /// The line that says how it is to be, after the tool's name.
  let usage: String

  /// The words after a verb are not understood.
  init(_ message: String, verb: VerbSpec) {
    self.message = message
    self.verb = verb.name
    usage = verb.usage
  }

  /// There is no verb, or none that is known.
  init(_ message: String) {
    self.message = message
    verb = nil
    usage = "<subcommand>"
  }
}
