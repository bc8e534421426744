import StatySQLite

extension Connection {
  /// The hashes of every name and place in the file and of the session's controllers, added to the
  /// known ones.
  package func contentHashes(
    over known: ContentHashes = ContentHashes(), session: Int64
  ) throws -> ContentHashes {
    var hashes = known
    try addNamesAndSites(to: &hashes)
    try addControllers(of: session, to: &hashes)
    return hashes
  }

  fileprivate func addNamesAndSites(to hashes: inout ContentHashes) throws {
    let names = try prepare("SELECT id, text FROM name ORDER BY id")
    while try names.step() {
      guard let number = Int32(exactly: names.int64(at: 0)) else { continue }
      try names.withText(at: 1) { bytes in
        hashes.names.set(number, to: bytes.map(ContentHash.bytes) ?? 0)
      }
    }
    let sites = try prepare("SELECT id, file, line FROM site ORDER BY id")
    while try sites.step() {
      guard let number = Int32(exactly: sites.int64(at: 0)) else { continue }
      let hash = ContentHash.site(file: try sites.string(at: 1) ?? "", line: sites.int64(at: 2))
      hashes.sites.set(number, to: hash)
    }
  }

  fileprivate func addControllers(of session: Int64, to hashes: inout ContentHashes) throws {
    for (ordinal, controller) in try controllers(session: session).enumerated() {
      hashes.add(controller, ordinal: ordinal)
    }
  }
}

extension HistoryReader {
  /// The hashes of every name and place in the file and of the session's controllers.
  package func contentHashes(session: Int64) throws -> ContentHashes {
    var hashes = ContentHashes()
    if let known = steady?.hashes {
      hashes = known
    } else {
      try connection.addNamesAndSites(to: &hashes)
      steady?.hashes = hashes
    }
    try connection.addControllers(of: session, to: &hashes)
    return hashes
  }
}
