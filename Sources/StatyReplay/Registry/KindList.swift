extension Array where Element == String {
  /// Kinds of controllers in a line; many that begin alike, as the `-fixed` ones of one app do, are one.
  package var kindList: String {
    let groups = Dictionary(grouping: self) { String($0.prefix { $0 != "-" }) }
    var parts: [String] = []
    for kind in self {
      let group = groups[String(kind.prefix { $0 != "-" })] ?? []
      if group.count < Self.many {
        parts.append(kind)
      } else if group.first == kind {
        parts.append("\(kind.prefix { $0 != "-" })-… (\(group.count))")
      }
    }
    return parts.joined(separator: ", ")
  }

  /// How many that begin alike are not told one by one.
  private static var many: Int { 8 }
}
