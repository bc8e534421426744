struct LogText: ExpressibleByStringInterpolation, StringInterpolationProtocol {
  typealias StringInterpolation = LogText
  enum Privacy { case `public` }
  init(stringLiteral value: String) {}
  init(stringInterpolation: LogText) {}
  init(literalCapacity: Int, interpolationCount: Int) {}
  mutating func appendLiteral(_ literal: String) {}
  mutating func appendInterpolation(_ value: some CustomStringConvertible, privacy: Privacy) {}
}
struct Logger { func error(_ text: LogText) {} }
let logger = Logger()
nonisolated(unsafe) let recorder: HistoryRecorder? = nil
enum SentrySDK {
  static func capture(message: String) {}
  static func capture(message: String, _ change: (Scope) -> Void) {}
}
final class Scope { func addAttachment(_ attachment: Attachment) {} }
struct Attachment { init(data: Data, filename: String) {} }
final class MXDiagnosticPayload: Sendable { func jsonRepresentation() -> Data { Data() } }
func store(_ payload: Data, _ text: String?) {}
nonisolated(unsafe) let previous: PreviousSession! = nil
