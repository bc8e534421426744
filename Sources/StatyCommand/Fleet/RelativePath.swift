import LibC

/// How a page leads to a folder that is beside it.
enum RelativePath {
  /// What to put before the name of a file in a folder to get there from where a page is.
  static func base(from page: String?, to folder: String) -> String {
    let place = page.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast() }
    let here = place.map { $0.isEmpty ? "." : $0.joined(separator: "/") + "/" } ?? "."
    guard let from = parts(here), let to = parts(folder) else { return "" }
    let shared = zip(from, to).prefix { $0 == $1 }.count
    let up = [Substring](repeating: "..", count: from.count - shared)
    // The point, so that no name can be taken for a scheme.
    return (["."] + up + to.dropFirst(shared)).joined(separator: "/") + "/"
  }

  private static func parts(_ path: String) -> [Substring]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved).split(separator: "/")
  }
}
