import Staty
import StatyHistory
import StatyReplay
import StatyReport

/// Words for events of one session, with text from the file made visible.
struct EventWords {
  let names: [Int32: String]
  let controllers: [Int32: ControllerRecord]
  private let sites: [Int32: SiteRecord]

  private init(
    names: [Int32: String], controllers: [ControllerRecord], sites: [Int32: SiteRecord]
  ) {
    self.names = names
    self.sites = sites
    self.controllers = Dictionary(controllers.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The words of what a what-if replay of the session played.
  func played(_ result: WhatIfResult) -> EventWords {
    EventWords(names: result.names, controllers: result.controllers, sites: sites)
  }

  /// The words of a schedule that was played.
  init(_ run: ScheduleRun) {
    self.init(names: run.names, controllers: run.controllers, sites: [:])
  }

  init(_ reader: HistoryReader, session: Int64) throws {
    self.init(
      names: try reader.names(), controllers: try reader.controllers(session: session),
      sites: try reader.sites())
  }

  /// The text of a name by its number.
  func name(_ number: Int32) -> String? { names[number].map(\.visible) }

  /// The name under which a controller is recorded.
  func controller(_ number: Int32) -> String {
    guard number != 0 else { return "" }
    return controllers[number].map(\.name.visible) ?? "controller \(number)"
  }

  /// The same; `nil` if it is not known.
  func track(_ number: Int32) -> String? { controllers[number].map(\.name.visible) }

  /// A visit, such as `#2 alert`; for an event without one, its name, such as that of a message.
  func visit(_ number: UInt32, _ state: Int32) -> String {
    if number == 0 { return name(state) ?? "" }
    return name(state).map { "#\(number) \($0)" } ?? "#\(number)"
  }

  /// Where in the code a request was made.
  func site(_ row: EventRow) -> String? {
    sites[row.site].map { "\($0.file.visible):\($0.line)" }
  }

  /// The events as lines, each part in a column of its own.
  ///
  /// - Parameters:
  ///   - marked: the number of the event to mark.
  ///   - values: the values of messages, by the numbers of their events.
  ///   - width: the most columns of a line.
  func lines(
    _ rows: [EventRow], marked: Int64? = nil, values: [Int64: String] = [:], width: Int
  ) -> [String] {
    let parts = rows.map { row in
      [
        "\(row.seq)", Decimal.moment(row.time), controller(row.controller), row.happening,
        visit(row.visit, row.state),
      ]
    }
    var widths = (0..<5).map { column in
      min(24, parts.map { DisplayWidth.of($0[column]) }.max() ?? 0)
    }
    // If there is little room, the controller is named elsewhere, and the numbers show the order.
    let isOne = Set(rows.map(\.controller)).count == 1
    let details = rows.compactMap { row in
      values[row.seq].map(DisplayWidth.of)
        ?? site(row).map { 3 + DisplayWidth.of($0.lastComponent) }
    }
    let room = width - min(30, details.max() ?? 0)
    for column in isOne ? [2, 1] : [1] where widths.reduce(10, +) > room { widths[column] = 0 }
    return zip(rows, parts).map { row, parts in
      var line = marked == nil ? "" : row.seq == marked ? "> " : "  "
      for (column, part) in parts.enumerated() where widths[column] > 0 {
        let cut = DisplayWidth.cut(part, to: widths[column])
        line += DisplayWidth.pad(cut, to: widths[column], isNumber: column < 2) + "  "
      }
      if let site = site(row) {
        let isShort = DisplayWidth.of(line) + 3 + DisplayWidth.of(site) <= width
        line += "at \(isShort ? site : site.lastComponent)"
      }
      if let values = values[row.seq] { line += values }
      return DisplayWidth.cut(line.trimmed, to: width)
    }
  }
}

extension String {
  /// The text without spaces at its end.
  var trimmed: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}

extension LanePicture {
  /// A picture of these events with these words.
  ///
  /// - Parameter marked: the number of the event to mark.
  init(_ rows: [EventRow], marked: Int64?, words: EventWords) {
    self.init(rows, marked: marked) { controller, visit, state in
      (words.controller(controller).isolated, words.visit(visit, state).isolated)
    }
  }
}
