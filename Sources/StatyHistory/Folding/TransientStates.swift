/// The states that a track leaves again, by the numbers of their names in the file.
struct TransientStates: Sendable {
  private let declared: Set<String>
  private var numbers: Set<Int32> = []

  init(_ names: Set<String>) { declared = names }

  /// Adds names to those that it knows.
  mutating func learn(_ names: [Int32: String]) {
    for (number, name) in names where declared.contains(name) { numbers.insert(number) }
  }

  func contains(_ state: Int32) -> Bool { numbers.contains(state) }
}
