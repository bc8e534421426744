nonisolated(unsafe) let recorder: HistoryRecorder? = nil
class UIScene {}
