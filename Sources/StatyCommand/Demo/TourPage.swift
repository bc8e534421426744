/// The pages of a tour: texts, and commands with what they print.
struct TourPage {
  private let folder: DemoFolder
  private let run: ToolRun
  let layout: TextSections

  init(_ folder: DemoFolder, _ run: ToolRun) {
    (self.folder, self.run) = (folder, run)
    layout = TextSections(width: run.console.width, style: run.style)
  }

  func say(_ title: String?, _ text: String) throws {
    try run.print(title.map { "\n" + layout.heading($0) } ?? "")
    try run.print(layout.block(text))
  }

  /// Prints a line as it is.
  func print(_ text: String) throws { try run.print(text) }

  /// Runs a verb on recordings, below its command line.
  ///
  /// - Parameter shown: the recordings as a shell would be told of them.
  func type(_ words: [String], _ names: [String], shown: String? = nil) throws {
    let command = words + [ShellWords.quoted(folder.path) + "/" + (shown ?? names[0])]
    try run.print("\n  $ \(run.tool) \(command.joined(separator: " "))\n\n")
    let files = names.map(folder.place)
    guard case .verb(let verb, _, _) = try Invocation(words + ["--"] + files) else {
      preconditionFailure("A tour types a verb.")
    }
    _ = try verb.run(run)
  }
}
