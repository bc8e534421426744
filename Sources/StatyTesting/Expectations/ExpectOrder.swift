internal import StatyHistory
internal import StatyReport

extension TestScenario {
  /// Expects that exactly these things have happened to states so far, in this order.
  ///
  /// Requests are left out, because the test makes them itself.
  ///
  /// - Parameter moments: the expected moments.
  public func expectOrder(
    _ moments: TestMoment...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let happened = order
    if happened.elementsEqual(moments, by: Self.matches) { return }
    let words = StepWords(scenario)
    let actual = zip(happened, Self.aligned(happened, with: moments)).map { words.moment($0, $1) }
    let difference = LineDifference.lines(
      expected: moments.map { words.moment($0, $0.reason) }, actual: actual)
    reportFailure(
      """
      Another order than expected ('-' is expected, '+' has happened):
      \(difference.map { "  " + $0 }.joined(separator: "\n"))
      \(RunPicture(run).text(marked: firstDifference(from: moments)))
      """, at: TestLocation(fileID, filePath, line, column))
  }

  /// What has happened to states so far, in order.
  package var order: [TestMoment] { run.events.compactMap(moment) }

  private func moment(_ row: EventRow) -> TestMoment? {
    guard let kind = EventKind(rawValue: row.kind), TestMoment.kinds.contains(kind),
      let request = run.request(of: row.visit, controller: row.controller)
    else { return nil }
    return TestMoment(kind, request, EventReason(kind: kind, code: row.reason)?.text)
  }

  /// The number of the first event that is not the expected one.
  private func firstDifference(from expected: [TestMoment]) -> Int64? {
    var expected = expected[...]
    return run.events.first { row in
      guard let happened = moment(row) else { return false }
      return expected.popFirst().map { !Self.matches(happened, $0) } ?? true
    }?.seq
  }

  private static func matches(_ happened: TestMoment, _ expected: TestMoment) -> Bool {
    happened.kind == expected.kind && happened.request == expected.request
      && (expected.reason == nil || expected.reason == happened.reason)
  }

  /// The reasons to show.
  ///
  /// A reason that the test does not expect is not a difference.
  private static func aligned(
    _ happened: [TestMoment], with expected: [TestMoment]
  ) -> [String?] {
    happened.map { one in
      expected.contains { $0.reason == nil && matches(one, $0) } ? nil : one.reason
    }
  }
}

extension StepWords {
  fileprivate func moment(_ moment: TestMoment, _ reason: String?) -> String {
    "\(moment.kind.text) \(label(moment.request))" + (reason.map { " (\($0))" } ?? "")
  }
}
