extension String {
  /// Whether a spreadsheet may take it for a formula: also by what it leaves out before one, and by the
  /// broad signs that some read as the narrow ones.
  package var isFormula: Bool {
    switch unicodeScalars.first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": true
    default: false
    }
  }
}
