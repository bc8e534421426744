let path = "history.sqlite"
struct Logger { func error(_ text: String) {} }
let logger = Logger()
nonisolated(unsafe) let recorder: HistoryRecorder! = nil
enum SentrySDK { static func capture(message: String) {} }
final class MXDiagnosticPayload: Sendable { func jsonRepresentation() -> Data { Data() } }
func store(_ payload: Data, _ text: String?) {}
