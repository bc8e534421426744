/// States with certain names, by the numbers of the names in the file.
struct NamedStates: Sendable {
  private let names: Set<String>
  private var numbers: Set<Int32> = []

  init(_ names: Set<String>) { self.names = names }

  /// Adds names to those that it knows.
  mutating func learn(_ names: [Int32: String]) {
    for (number, name) in names where self.names.contains(name) { numbers.insert(number) }
  }

  func contains(_ state: Int32) -> Bool { numbers.contains(state) }
}
