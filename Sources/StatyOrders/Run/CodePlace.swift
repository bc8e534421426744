internal import COrders

/// Where in the app's code something was begun.
struct CodePlace {
  // Only addresses of code: nothing is read through them.
  private let calls: [UInt]

  /// The place of the current call.
  init() {
    calls = withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 48) { room in
      (0..<orders_calls(room.baseAddress, room.count)).map { UInt(bitPattern: room[$0]) }
    }
  }

  /// The function, if it is known.
  var words: String? {
    for call in calls {
      guard
        let name = orders_function(UnsafeRawPointer(bitPattern: call)).map(String.init(cString:))
      else { continue }
      // Below the call of a job is the test.
      if name.contains("8WorldRunC7perform") { return nil }
      if Self.isOfApp(name), let function = Self.function(name) { return function }
    }
    return nil
  }

  /// Whether a function is neither of Swift's concurrency nor of this module.
  private static func isOfApp(_ name: String) -> Bool {
    name.hasPrefix("$s") && !name.hasPrefix("$sSc") && !name.contains("11StatyOrders")
  }

  private static let parts: [(begin: String, end: String)] = [
    ("partial apply ", " for "), ("closure #", " in "), ("implicit closure #", " in "),
    ("function signature specialization <", "> of "), ("generic specialization <", "> of "),
    ("specialized ", " "), ("merged ", " "), ("(", " for "),
  ]

  /// The function that a closure is written in, without its module and its parameters.
  private static func function(_ name: String) -> String? {
    let demangled = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { room in
      orders_demangle(name, room.baseAddress, room.count)
        ? String(cString: room.baseAddress!) : nil
    }
    guard var text = demangled?[...] else { return nil }
    // Around the function's own name stands what the compiler has made of it.
    while let part = Self.parts.first(where: { text.hasPrefix($0.begin) }),
      let place = text.firstRange(of: part.end)
    {
      text = text[place.upperBound...]
    }
    // A private function has the name of its file besides its own.
    while let open = text.firstRange(of: ".("),
      let end = text[open.upperBound...].firstRange(of: " in _"),
      let close = text[end.upperBound...].firstIndex(of: ")")
    {
      let function = text[open.upperBound..<end.lowerBound]
      text = (text[..<open.lowerBound] + "." + function + text[text.index(after: close)...])[...]
    }
    let name = text.prefix { $0 != "(" }
    if name.isEmpty || name.contains(" ") { return nil }
    let parts = name.split(separator: ".")
    return parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: ".") + "()"
  }
}
