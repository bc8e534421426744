extension String {
  /// Whether a spreadsheet may read the text as a formula.
  ///
  /// Some skip white space first, and some accept full-width signs.
  package var isFormula: Bool {
    switch unicodeScalars.first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": true
    default: false
    }
  }
}
