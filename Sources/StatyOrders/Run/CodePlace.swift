#if os(Linux)
  internal import Runtime
#endif

/// Where in the app's code something was begun.
struct CodePlace {
  #if os(Linux)
    private let calls: Backtrace?

    /// The place of the current call.
    init() { calls = try? Backtrace.capture(limit: 48) }

    /// The function, and its line, if they are known.
    var words: String? {
      guard let frames = calls?.symbolicated(options: .showSourceLocations)?.frames else {
        return nil
      }
      // Below the call of a job is the test.
      let calls = frames.lazy.compactMap(\.symbol).prefix {
        !$0.rawName.contains("8WorldRunC7perform")
      }
      guard let symbol = calls.first(where: Self.isOfApp) else { return nil }
      let function = Self.function(symbol.name)
      guard let place = symbol.sourceLocation, place.line > 0 else { return function }
      let file = place.path.split(separator: "/").last.map(String.init) ?? place.path
      return "\(function), \(file):\(place.line)"
    }

    /// Whether a function is neither of the system, nor of Swift's concurrency, nor of this module.
    private static func isOfApp(_ symbol: SymbolicatedBacktrace.Symbol) -> Bool {
      !symbol.imageName.hasPrefix("lib") && symbol.rawName.hasPrefix("$s")
        && !symbol.rawName.hasPrefix("$sSc") && !symbol.rawName.contains("11StatyOrders")
    }

    /// The function that a closure is written in.
    private static func function(_ name: String) -> String {
      var name = Substring(name)
      for prefix in ["partial apply for ", "specialized "] where name.hasPrefix(prefix) {
        name = name.dropFirst(prefix.count)
      }
      while name.hasPrefix("closure #") || name.hasPrefix("implicit closure #"),
        let end = name.range(of: " in ")
      {
        name = name[end.upperBound...]
      }
      return String(name)
    }
  #else
    init() {}
    var words: String? { nil }
  #endif
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
}
