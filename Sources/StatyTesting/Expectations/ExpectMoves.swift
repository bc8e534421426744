internal import StatyHistory

/// A change of a track: the name of the new value, or what was pushed or popped.
public struct TestMove: Hashable, Sendable, ExpressibleByStringLiteral {
  fileprivate let words: String

  private init(words: String) { self.words = words }

  /// The value changed to one with this name.
  public init(stringLiteral name: String) { self.init(words: name) }

  /// An element with this name was pushed.
  public static func pushed(_ name: String) -> TestMove { TestMove(words: "pushed \(name)") }
  /// An element with this name was popped.
  public static func popped(_ name: String) -> TestMove { TestMove(words: "popped \(name)") }

  fileprivate init(_ row: EventRow, _ name: String) {
    self =
      switch row.reason {
      case EventReason.movedPush.code: .pushed(name)
      case EventReason.movedPop.code: .popped(name)
      default: TestMove(stringLiteral: name)
      }
  }
}

extension TestScenario {
  /// Expects that the track has changed exactly like this so far.
  ///
  /// ```swift
  /// feed.expectMoves("loading", "ready")
  /// ```
  ///
  /// - Parameter moves: the expected changes: names of values, `.pushed("detail")` or
  ///   `.popped("detail")`.
  public func expectMoves(
    _ moves: TestMove...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let happened = run.events.filter { $0.kind == EventKind.moved.rawValue }.map {
      TestMove($0, run.names[$0.state] ?? "?")
    }
    if happened == moves { return }
    let difference = LineDifference.lines(
      expected: moves.map(\.words), actual: happened.map(\.words))
    reportFailure(
      """
      Other changes than expected ('-' is expected, '+' has happened):
      \(difference.map { "  " + $0 }.joined(separator: "\n"))
      \(RunPicture(run).text(marked: nil))
      """, at: TestLocation(fileID, filePath, line, column))
  }
}
