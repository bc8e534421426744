import StatyReplay

// A session that was played with something changed.
extension WhatIfReplay {
  static var verdicts: [String] { WhatIfResult.Verdict.allCases.map(\.rawValue) }

  var verdictName: String { verdict.rawValue }

  var what: String { get throws { try WhatIfWords(self).what } }

  func explanation(width: Int, style: Style) throws -> String {
    try WhatIfExplanation(self, width: width, style: style).text
  }

  var json: JSONValue { get throws { try WhatIfJSON.value(self) } }
}
