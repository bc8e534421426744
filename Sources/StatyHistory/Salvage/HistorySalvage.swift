/// Gets out of a damaged history what is left of it, into a new one.
///
/// In the new one is what a checksum vouches for. Of everything else it says that it is missing: of
/// events that they are lost, so that nobody judges over them, and of what is said of sessions and
/// controllers nothing, or that it is not verified.
package struct HistorySalvage {
  private let survey: PageSurvey
  private let tables: SalvagedTables

  /// Why the new history says that events are lost.
  enum Loss: String, CaseIterable, Sendable {
    /// They are not there, or not to be read.
    case damaged
    /// They stand on pages that are as they must be, and no checksum vouches for them.
    case unverified
  }

  /// The policy of a controller of which no checksum says which it had.
  package static let unverifiedPolicy = "unverified"

  /// Flipped bits are looked for no more often than that.
  private static let mostMends = 64
  /// Of no more names it is tried one by one which of two texts is right.
  private static let mostDoubted = 16

  /// Looks at every page of a file, and of the log beside it.
  ///
  /// - Parameter path: of a regular file; links are resolved before.
  package init(_ path: String) throws(HistoryError) {
    try HistoryReader.checkSize(of: path)
    survey = PageSurvey(try PageSource(path))
    tables = SalvagedTables(survey)
  }

  /// Writes what is left into a new history.
  ///
  /// - Parameter unverified: is given a line of JSON for each event that was left out though it stands
  ///   on a page that is as it must be.
  package func write(
    into writer: HistoryWriter, unverified: (String) throws -> Void = { _ in }
  ) throws -> SalvageReport {
    var catalog = SalvagedCatalog(survey)
    choose(&catalog)
    var mends = Self.mostMends
    let budget = MendBudget()
    catalog.mendSessions(&mends, budget)
    var report = SalvageReport(pages: survey.pages, lostPages: survey.lost)
    report.logBreak = survey.source.logBreak
    report.sessionsLeftOut = catalog.sessionsLeftOut
    report.mayLackSessions = survey.mayLackRows(of: .session, in: SalvagedSession.nameIndex)
    report.strays = tables.strays(beside: catalog.sessions)
    for session in catalog.sessions {
      let vouching = SalvageVouching(session, catalog, tables, mends: mends, budget)
      var target = try SalvageTarget(session, catalog, vouching, writer)
      let lines = UnverifiedLines(session, catalog)
      var events = SalvagedEvents(tables, catalog, session, mends: mends, budget)
      mends = try events.forEach { run, keys in
        switch run.verdict {
        case .verified: try target.take(run, keys)
        case .unverified(let doubt):
          target.leaveOut(run, keys, doubt)
          try lines.forEach(of: run, doubt, unverified)
        }
      }
      let said = tables.lastEvent(of: session)
      report.sessions.append(try target.finish(lastEvent: said))
    }
    return report
  }

  /// Takes of each name of which there are two texts the one with which more checksums are right.
  private func choose(_ catalog: inout SalvagedCatalog) {
    guard !catalog.doubted.isEmpty else { return }
    var best = verified(catalog)
    for number in catalog.doubted.keys.sorted().prefix(Self.mostDoubted) {
      catalog.swapDoubted(number)
      let count = verified(catalog)
      if count <= best { catalog.swapDoubted(number) }
      best = max(best, count)
    }
  }

  private func verified(_ catalog: SalvagedCatalog) -> Int {
    catalog.sessions.reduce(0) { count, session in
      var events = SalvagedEvents(tables, catalog, session, mends: 0, MendBudget(bytes: 0))
      var found = session.sealed == .nothing ? 0 : 1
      _ = events.forEach { run, _ in found += run.verdict == .verified ? 1 : 0 }
      return count + found
    }
  }
}
