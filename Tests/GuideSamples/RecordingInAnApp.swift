nonisolated(unsafe) let recorder: HistoryRecorder! = nil
class UIScene {}
let folder = URL(filePath: "/")
