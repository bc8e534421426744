public import Staty
internal import StatyReport

extension TestScenario {
  /// Lets the model receive a message.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - question: the earlier message that it answers, if there is one.
  ///   - ifPossible: whether the line is skipped, instead of a failure, if the model has asked for
  ///     nothing in the handling of that message, as the registry's doubles note it.
  /// - Returns: the message, to use in later lines.
  @discardableResult
  public func receive(
    _ message: some RecordedMessage, answering question: TestMessage? = nil,
    ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> TestMessage {
    receive(
      StateName(ofCase: message), MessageText.text(of: message), answering: question,
      ifPossible: ifPossible, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Lets the model receive a message as it was recorded.
  ///
  /// - Parameters:
  ///   - name: the name of the message.
  ///   - values: its values as JSON, as `staty show` lists them; `nil` if it has only a name.
  ///   - question: the earlier message that it answers, if there is one.
  ///   - ifPossible: whether the line is skipped, instead of a failure, if the model has asked for
  ///     nothing in the handling of that message, as the registry's doubles note it.
  /// - Returns: the message, to use in later lines.
  @discardableResult
  public func receive(
    _ name: StateName, _ values: String? = nil, answering question: TestMessage? = nil,
    ifPossible: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> TestMessage {
    let id = script.receive(name, values, answering: question?.id, needsQuestion: ifPossible)
    perform(.make(id), ifPossible, TestLocation(fileID, filePath, line, column))
    return TestMessage(id: id)
  }
}

/// A message of a test, which later lines name as what they answer.
public struct TestMessage: Hashable, Sendable {
  let id: Int
}
