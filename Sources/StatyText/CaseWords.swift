extension String {
  /// The words of a name such as `lateAttachment`, in lower case, with this between them.
  package func words(joinedBy separator: String) -> String {
    reduce(into: "") { words, character in
      words += (character.isUppercase ? separator : "") + character.lowercased()
    }
  }
}
