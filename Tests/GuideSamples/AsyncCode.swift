@MainActor final class List {
  var items: [Int] = []
  func load() async {}
  func delete(_ index: Int) async {}
}
@MainActor let list = List()
nonisolated(unsafe) let world: World! = nil
