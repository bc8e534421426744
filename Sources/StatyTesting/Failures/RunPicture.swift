internal import StatyReport

/// A run as text, for messages of failed tests.
struct RunPicture {
  private let run: ScheduleRun
  private let steps: Int

  /// - Parameter steps: how many of its steps are told; by default all.
  init(_ run: ScheduleRun, steps: Int = .max) {
    (self.run, self.steps) = (run, steps)
  }

  private static let width = 100

  /// The steps as sentences, and the events as lanes.
  ///
  /// - Parameter marked: the number of the event to mark.
  func text(marked: Int64?) -> String {
    let words = StepWords(run.scenario)
    let steps = run.schedule.prefix(steps).enumerated().map { "  \($0 + 1). \(words.sentence($1))" }
    let lanes = LanePicture(run.events, marked: marked) { controller, visit, state in
      let request = run.request(of: visit, controller: controller)
      return ("", request.map(words.label) ?? run.names[state] ?? "#\(visit)")
    }.lines(width: Self.width)
    if steps.isEmpty { return "Nothing has happened." }
    return (["What happened:"] + steps + lanes.map { "  " + $0 }).joined(separator: "\n")
  }
}
