import Foundation
internal import StatyHistory
internal import StatyRules
internal import StatyText

/// The line of code that made a request, as `path:line`, which Xcode and editors open.
///
/// A history has only the module and the file's name: the file is searched near the test.
struct RequestLine {
  let text: String

  init(_ site: SiteRecord, near location: TestLocation) {
    let path = Self.path(of: site.file, near: location) ?? site.file.escapedForOneLine
    text = "\(path):\(site.line)"
  }

  /// How many folders around the test are looked through, and how many files in one.
  private static let (mostFolders, mostFiles) = (6, 5_000)

  private static func path(of file: String, near location: TestLocation) -> String? {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // The text comes from a file that may be hostile.
    guard parts.count == 2, !parts.contains(where: { ["", ".", ".."].contains($0) }),
      file == file.escapedForOneLine
    else { return nil }
    let (module, name) = (parts[0], parts[1])
    var folder = URL(fileURLWithPath: "\(location.filePath)").deletingLastPathComponent()
    if "\(location.fileID)".hasPrefix(module + "/"), let found = find(name, in: folder) {
      return found
    }
    for _ in 0..<mostFolders {
      for inside in [module, "Sources/\(module)", "Tests/\(module)"] {
        if let found = find(name, in: folder.appendingPathComponent(inside)) { return found }
      }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  private static func find(_ name: String, in folder: URL) -> String? {
    let files = FileManager.default.enumerator(atPath: folder.path)
    for _ in 0..<mostFiles {
      guard let file = files?.nextObject() as? String else { return nil }
      if file == name || file.hasSuffix("/" + name) { return folder.path + "/" + file }
    }
    return nil
  }
}

extension KeptHistory {
  /// A line for each finding, and below it where the code made the request that it is about.
  func lines(
    of findings: [Finding], _ names: [Int32: String], at location: TestLocation
  ) throws -> [String] {
    let sites = try reader.sites()
    let controllers = try findings.first.map { try reader.controllers(session: $0.session) } ?? []
    func name(_ number: Int32) -> String? { controllers.first { $0.id == number }?.name }
    return try findings.enumerated().flatMap { place, finding in
      // The same number may be a visit of each.
      let its = controllers.count > 1 ? name(finding.controller).map { " of '\($0)'" } : nil
      let line = finding.line(
        "at event \(finding.seq)\(its ?? "")", naming: { names[$0] }, track: name)
      // Reading the requests of very many would take too long.
      guard place < Self.mostRequests, let number = try requestSite(of: finding),
        let site = sites[number]
      else { return [line] }
      let request = RequestLine(site, near: location)
      return [line, "\(request.text): \(finding.severity.rawValue): requested here"]
    }
  }

  private static let mostRequests = 10

  /// The place of the request of the finding's visit, or else of what caused it.
  private func requestSite(of finding: Finding) throws -> Int32? {
    let events = try reader.events(session: finding.session, through: finding.seq)
    while finding.visit != 0, let row = try events.next() {
      if row.controller == finding.controller, row.visit == finding.visit, row.site != 0 {
        return row.site
      }
    }
    let causes = try FindingContext(finding, in: reader, followers: 0)?.causes
    return causes?.first { $0.site != 0 }?.site
  }
}
