import Foundation
internal import Staty
internal import StatyHistory
internal import StatyReading
internal import StatyReport

#if canImport(Testing)
  internal import Testing
#endif

/// A history of a test: a file with a path, next to the test or in a bundle.
struct KeptHistory {
  let path: String
  let reader: HistoryReader

  /// - Throws: a ``HistoryNotFound``, or an error if the file is damaged.
  init(_ name: String, _ bundle: Bundle?, _ location: TestLocation) throws {
    path = try Self.find(name, bundle, location)
    // The reader refuses a symbolic link, and the paths of tests may contain one.
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    reader = try HistoryReader(receivedAt: resolved)
  }

  /// Finds the file of a history.
  ///
  /// A path is used as it is. A name is searched in `Histories` next to the test, next to the test
  /// and in the bundle.
  private static func find(
    _ name: String, _ bundle: Bundle?, _ location: TestLocation
  ) throws -> String {
    let file = name.hasSuffix(".sqlite") ? name : name + ".sqlite"
    let folder = URL(fileURLWithPath: "\(location.filePath)").deletingLastPathComponent()
    var places = [
      folder.appendingPathComponent("Histories").appendingPathComponent(file).path,
      folder.appendingPathComponent(file).path,
    ]
    if name.hasPrefix("/") { places = [name, file] }
    if let found = places.first(where: FileManager.default.fileExists) { return found }
    let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    for folder in ["Histories", nil] {
      if let found = bundle?.url(
        forResource: stem, withExtension: "sqlite", subdirectory: folder)
      {
        return found.path
      }
    }
    throw HistoryNotFound(
      name: name, places: places + (bundle.map { [$0.bundlePath] } ?? []))
  }

  /// The sessions that contain events.
  var sessions: [SessionRecord] {
    get throws { try reader.sessions().filter { $0.stored > 0 } }
  }

  /// The events around an event as lanes, for messages of failed tests.
  func timeline(session: Int64, marked: Int64?) throws -> String {
    var rows: [EventRow] = []
    let events = try reader.events(session: session)
    while let row = try events.next() {
      if let marked, row.seq > marked, rows.count >= Self.mostEvents { break }
      rows.append(row)
      if rows.count > 2 * Self.mostEvents { rows.removeFirst(Self.mostEvents) }
    }
    return Self.picture(
      "What was recorded in session \(session)", rows, try reader.names(),
      try reader.controllers(session: session), marked: marked)
  }

  /// What a replay of a session played, as lanes.
  func timeline(_ played: WhatIfResult, session: Int64) -> String {
    Self.picture(
      "What was played of session \(session)", played.events.suffix(Self.mostEvents), played.names,
      played.controllers, marked: played.decisive.first?.seq)
  }

  private static func picture(
    _ title: String, _ rows: [EventRow], _ names: [Int32: String],
    _ controllers: [ControllerRecord], marked: Int64?
  ) -> String {
    let controllers = Dictionary(
      controllers.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    let messages = rows.filter { $0.kind == EventKind.received.rawValue }
    let lanes = LanePicture(rows, marked: marked) { controller, visit, state in
      ((controllers[controller] ?? "?").printable, "#\(visit) \(names[state] ?? "?")".printable)
    }.lines(width: 100)
    if lanes.isEmpty, messages.isEmpty { return "\(title): nothing." }
    var lines = ["\(title):"] + lanes.map { "  " + $0 }
    if !messages.isEmpty {
      let last = messages.suffix(12).map { row in
        "\(row.seq) \((names[row.state] ?? "?").printable)"
          + (row.ownCause == 0 ? "" : " (answers \(row.ownCause))")
      }
      lines.append("  Messages: " + last.joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  private static let mostEvents = 2_000
}

// MARK: Attachments

extension KeptHistory {
  /// Attaches the history and its page to the failure, if the testing library supports attachments.
  func attach(at location: TestLocation) throws {
    #if canImport(Testing)
      guard Test.current != nil else { return }
      let place = SourceLocation(
        fileID: "\(location.fileID)", filePath: "\(location.filePath)", line: Int(location.line),
        column: Int(location.column))
      for (name, bytes) in try attachments {
        Attachment.record(bytes, named: name, sourceLocation: place)
      }
    #endif
  }

  /// The file and its page for a browser, by their names.
  var attachments: [(name: String, bytes: [UInt8])] {
    get throws {
      let url = URL(fileURLWithPath: path)
      let sessions = try sessions.map { session in
        ReportPage.Session(
          record: session,
          started: Date(timeIntervalSince1970: Double(session.wallTime) / 1e6).ISO8601Format(),
          lost: try reader.losses(session: session.id).reduce(0) { $0 &+ $1.count }, isHere: true,
          replay: nil)
      }
      var page = ""
      try ReportPage(
        reader, file: url.lastPathComponent, made: "StatyTesting", sessions: sessions,
        most: Self.mostEvents
      ).write(where: { _ in true }) { page += $0 }
      return [
        (url.lastPathComponent, Array(try Data(contentsOf: url))),
        (url.deletingPathExtension().lastPathComponent + ".html", Array(page.utf8)),
      ]
    }
  }
}

/// The error that there is no history with a name.
public struct HistoryNotFound: Error, CustomStringConvertible {
  let name: String
  let places: [String]

  /// The name, and the places that were searched.
  public var description: String {
    "There is no history called '\(name)'. Looked for: \(places.joined(separator: ", ")). Copy it there, "
      + "or hand over the bundle that has it."
  }
}
