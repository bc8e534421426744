let path = "history.sqlite"
struct Logger { func error(_ text: String) {} }
let logger = Logger()
nonisolated(unsafe) let recorder: HistoryRecorder! = nil
enum SentrySDK {
  static func capture(message: String) {}
  static func capture(message: String, _ change: (Scope) -> Void) {}
}
final class Scope { func addAttachment(_ attachment: Attachment) {} }
struct Attachment { init(data: Data, filename: String) {} }
final class MXDiagnosticPayload: Sendable { func jsonRepresentation() -> Data { Data() } }
func store(_ payload: Data, _ text: String?) {}
nonisolated(unsafe) let previous: PreviousSession! = nil
