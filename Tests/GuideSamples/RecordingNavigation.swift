enum Route: Hashable { case list, detail(Int) }
@MainActor final class ListModel {
  let pathTrack = StackTrack("path")
  var path: [Route] = [] { didSet { pathTrack.moved(to: path) } }
  func tap(_ row: Int) { path.append(.detail(row)) }
}
@MainActor let pathTrack = StackTrack("path")
@MainActor let (topTrack, shownTrack) = (StateTrack("top"), StateTrack("shown"))
@MainActor let sheetTrack = StateTrack("settings", false)
nonisolated(unsafe) let world: World! = nil
/// Asks its server before it pushes.
@MainActor final class SlowListModel {
  private(set) var path: [Route] = []
  func tap(_ row: Int) async {
    await Task.yield()
    path.append(.detail(row))
  }
  func back() { path.removeLast() }
}
@MainActor let list = SlowListModel()
protocol DetailServer { func details(of row: Int) async throws -> String }
nonisolated(unsafe) let server: (any DetailServer)! = nil
nonisolated(unsafe) var pending: Int?
nonisolated(unsafe) var path: [Route] = []
