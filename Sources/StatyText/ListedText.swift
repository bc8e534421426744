extension BidirectionalCollection<String> {
  /// The words as a sentence lists them: `a, b and c`.
  package var listed: String {
    guard let last, count > 1 else { return last ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
