/// What to try next with what was made smaller: command lines that do what they say when they are copied.
struct MinimizationAdvice {
  let steps: [NextSteps.Step]

  /// - Parameters:
  ///   - arguments: those of this command line.
  ///   - written: the file that was written, and what can be done with it.
  init(
    _ arguments: ParsedArguments, tool: String,
    written: (path: String, trial: MinimizationTrial)?
  ) {
    guard let written else {
      // The same once more, but into a file.
      let words = arguments.words(but: ["output", "force", "json", "quiet", "color"])
      let file = NextSteps.quoted(arguments.arguments[0])
      steps = [
        NextSteps.Step(
          text: "Keep it as a history:",
          command: ([tool, "minimize"] + words + ["-o", "small.sqlite", file])
            .joined(separator: " "))
      ]
      return
    }
    let file = NextSteps.quoted(written.path)
    var steps = [
      NextSteps.Step(
        text: "What happens in it, event by event:", command: "\(tool) show \(file)"),
      Self.test(written.trial.test, tool, file),
    ]
    if !written.trial.replay.isEmpty {
      let reason = written.trial.replay.joined(separator: " ")
      steps.append(.init(text: "A replay of it does not end with 'reproduced'. \(reason)"))
    }
    self.steps = steps
  }

  private static func test(
    _ advice: MinimizationTrial.TestAdvice, _ tool: String, _ file: String
  ) -> NextSteps.Step {
    switch advice {
    case .words(let words):
      let whose =
        words.contains("--registry")
        ? " ('.own' stands for the registry that makes it, 'OwnModule' for the module that has it)"
        : ""
      return .init(
        text: "A test that is red until the controller is mended\(whose):",
        command: ([tool, "test"] + words + [file]).joined(separator: " "))
    case .refused(let reason):
      return .init(text: "No test can be made of it: \(reason)")
    }
  }
}
