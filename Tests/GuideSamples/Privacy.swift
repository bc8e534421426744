struct Item { let id: String }
final class ItemState: ScreenState {
  let item = Item(id: "1")
  func enter(on target: Screen, visit: Visit) {}
  func exit(from target: Screen, visit: Visit) {}
}
final class Screen {}
