package import Staty

/// The kind of an event: what happened.
///
/// Its numbers are part of the file format: a number is never given to another kind.
package typealias EventKind = TransitionEvent.Kind

extension TransitionEvent.Kind {
  /// The kind's name, as the view `history` gives it.
  package var text: String { Self.texts[Int(rawValue)] }

  /// The kind with this name.
  package init?(text: String) {
    guard let kind = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = kind
  }

  // By number, because asking an enumeration for its case's name is slow.
  private static let texts = ["?"] + allCases.map { "\($0)" }
}

extension EventPlace.Part {
  /// The part's name, as the view `history` gives it.
  package var text: String { Self.texts[Int(rawValue)] }

  /// The part with this name.
  package init?(text: String) {
    guard let part = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = part
  }

  /// The names, each in quotes.
  package static let words = allCases.map { "'\($0.text)'" }.joined(separator: ", ")

  // By number, because asking an enumeration for its case's name is slow.
  private static let texts = allCases.map { "\($0)" }
}
