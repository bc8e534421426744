import Feed
import StatyCommand
import StatyRecorder
import StatyReplay

// `feed-tool record FILE` uses the app and records it; everything else is the tool that knows the app's feed.

/// A server that takes long for short searches, since they match much.
struct SlowServer: FeedLoader {
  func items(matching text: String) async throws -> [String] {
    try await Task.sleep(for: .milliseconds(text.count < 3 ? 120 : 30))
    return text == "sw" ? ["swan", "sweet"] : []
  }
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "record", let path = arguments.dropFirst().first {
  let recorder = try HistoryRecorder(at: path)
  recorder.recordTracks()
  let model = FeedModel(loader: SlowServer())
  model.send(.searched("sw"))
  model.send(.searched("swx"))
  try await Task.sleep(for: .milliseconds(300))
  print("The feed shows \(model.state).")
  recorder.close()
} else {
  StatyTool(registry: .feed, name: "feed-tool").main()
}
