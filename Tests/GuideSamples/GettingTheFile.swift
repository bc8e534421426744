nonisolated(unsafe) let recorder: HistoryRecorder! = nil
let (url, copy) = (URL(filePath: "/"), URL(filePath: "/"))
