final class Mine {}
@MainActor let controller = StateController<Mine>()
func reopen(_ state: String, _ payload: String?) {}
nonisolated(unsafe) let recorder: HistoryRecorder! = nil
