nonisolated(unsafe) let recorder: HistoryRecorder? = nil
let copy = URL(filePath: "/")
