import LibC

/// How a page leads to a folder that is beside it.
enum RelativePath {
  /// What to put before the name of a file in a folder to get there from where a page is.
  static func base(from page: String?, to folder: String) -> String {
    let here = page.map(\.folder).flatMap { $0.isEmpty ? nil : $0 } ?? "."
    guard let from = parts(here), let to = parts(folder) else { return "" }
    let shared = zip(from, to).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let up = [String](repeating: "..", count: from.count - shared)
    // The point, so that no name can be taken for a scheme.
    return (["."] + up + to.dropFirst(shared)).joined(separator: "/") + "/"
  }

  private static func parts(_ path: String) -> [String]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved).components
  }
}
