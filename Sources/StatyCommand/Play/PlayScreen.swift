import Staty
import StatyHistory
import StatyReport
import StatyRules

/// One moment of a history as text: the event and its causes, and for each controller the visits on
/// screen, the waiting visits and what is awaited.
struct PlayScreen {
  private let played: PlayedHistory
  private let choice: SessionChoice
  private let width: Int
  private let style: Style
  private var words: EventWords { played.session.words }
  private var time: Int64 { played.now.event?.row?.time ?? 0 }

  init(_ played: PlayedHistory, _ choice: SessionChoice, width: Int, style: Style) {
    self.played = played
    self.choice = choice
    self.width = width
    self.style = style
  }

  /// The lines, each no wider than the terminal.
  ///
  /// - Parameter height: the most lines; the least important are left out.
  func lines(height: Int = .max) throws -> [String] {
    let event = try event
    var lines = event + broken(isShort: false)
    var groups = controllers
    let needed = (groups.first { $0.isMain } ?? groups.first)?.lines.count ?? 0
    if lines.count + needed >= height { lines = event + broken(isShort: true) }
    while lines.count + groups.reduce(0, { $0 + $1.lines.count + 1 }) > height, groups.count > 1 {
      guard let idle = groups.lastIndex(where: { !$0.isMain }) else { break }
      groups.remove(at: idle)
    }
    for group in groups { lines += [""] + group.lines }
    let picture = try picture
    if !picture.isEmpty, lines.count + picture.count + 1 <= height { lines += [""] + picture }
    return lines.count <= height ? lines : Array(lines.prefix(max(1, height - 1))) + ["…"]
  }
}

// The parts.
extension PlayScreen {
  private var event: [String] {
    get throws {
      let record = played.session.record
      guard let row = played.now.event?.row else { return ["There is no event."] }
      let place =
        "Session \(record.id), event \(row.seq) at \(Decimal.moment(row.time)), "
        + "\(Decimal.grouped(played.now.count)) of \(Decimal.grouped(record.stored))"
      var lines = [style.bold(DisplayWidth.cut(place, to: width))]
      if played.now.lostBefore > 0 {
        lines.append(
          style.warning(
            cut("  \(Decimal.count(played.now.lostBefore, "event")) missing just before it")))
      }
      let causes = try played.causes()
      let table = words.lines(causes, marked: row.seq, width: width - 2)
      lines += table.map { "  " + $0 }
      if let note = played.now.event?.detail?.note { lines.append(cut("    \"\(note.visible)\"")) }
      if let origin = played.now.event?.detail?.origin, origin != 0 {
        lines.append(cut("    asked by visit #\(origin)"))
      }
      return lines
    }
  }

  /// - Parameter isShort: whether each finding has one line, so that there is room for the visits
  ///   on screen.
  private func broken(isShort: Bool) -> [String] {
    played.broken.flatMap { finding in
      let name = "\(finding.severity.rawValue)[\(finding.code.rawValue)]"
      let sentence = finding.sentence(words)
      let text = "\(name): \(sentence)"
      let lines =
        isShort
        ? [DisplayWidth.cut(text, to: width - 2)] : TextWrap.lines(text, width: width - 2)
      return lines.map { line in
        "  " + style.painted(line, finding.severity)
      }
    }
  }

  private struct Group {
    let lines: [String]
    /// Whether the event belongs to this controller.
    let isMain: Bool
  }

  private var controllers: [Group] {
    words.controllers.values.sorted { $0.id < $1.id }.filter(choice.means).compactMap { record in
      guard let standing = played.now.visits.overview(of: record.id), standing.stage.hasBegun else {
        return nil
      }
      let isMain = played.now.event?.row?.controller == record.id
      if standing.stage.detached != nil, !isMain { return nil }
      let name = cut("\(record.name.visible.isolated) (\(record.policy.visible.isolated))")
      return Group(lines: [isMain ? style.bold(name) : name] + told(standing), isMain: isMain)
    }
  }

  private func told(_ standing: ControllerOverview) -> [String] {
    if standing.stage.detached != nil { return labelled("over", "its recording has ended") }
    return labelled("on screen", stage(standing)) + labelled("waiting", queue(standing))
      + labelled("awaited", Self.awaited(standing, called)) + doubt(standing)
  }

  /// The visits that may have exited or changed their phase in lost events.
  private func doubt(_ standing: ControllerOverview) -> [String] {
    let visits = (standing.onStage + standing.waiting).filter(\.isLost)
    if visits.isEmpty { return [] }
    return labelled(
      "not sure", "\(listed(visits)): not heard of since events are missing, and perhaps gone")
  }

  private func stage(_ standing: ControllerOverview) -> String {
    if standing.onStage.isEmpty {
      return standing.last.map { "none; \(words.visit($0.visit, $0.state)) was the last" }
        ?? "none"
    }
    return standing.onStage.map { "\(called($0)), \(phase($0))" }.joined(separator: "; ")
  }

  private func phase(_ visit: OpenVisit) -> String {
    let words =
      switch visit.progress {
      case .entering: "entering"
      case .exiting: "exiting"
      default: "shown"
      }
    let since = visit.since
    guard since.seq != 0, since.time < time else { return words }
    return "\(words) for \(Decimal.duration(max(0, time &- since.time)))"
  }

  private func queue(_ standing: ControllerOverview) -> String {
    standing.waiting.isEmpty ? "none" : listed(standing.waiting)
  }

  private func listed(_ visits: [OpenVisit]) -> String {
    let shown = visits.prefix(8).map(called).joined(separator: ", ")
    let rest = visits.count - 8
    return rest > 0 ? "\(shown) and \(Decimal.grouped(Int64(rest))) more" : shown
  }

  /// What has to happen next, if the recording shows it.
  static func awaited(
    _ standing: ControllerOverview, _ called: (OpenVisit) -> String
  ) -> String {
    if standing.stage.isTornDown { return "nothing: it is torn down" }
    let moving = standing.onStage.compactMap { visit -> String? in
      switch visit.progress {
      case .entering: "\(called(visit)) has to report that it has entered"
      case .exiting: "\(called(visit)) has to report that it has exited"
      default: nil
      }
    }
    if !moving.isEmpty { return moving.joined(separator: "; ") }
    guard let next = standing.waiting.first else { return "nothing" }
    if standing.stage.isWithholding { return "a target" }
    guard let current = standing.onStage.last else {
      return "\(called(next)) has to be told to enter"
    }
    return "\(called(current)) has to be told to exit"
  }

  private var picture: [String] {
    get throws {
      let ids = Set(words.controllers.values.filter(choice.means).map(\.id))
      let rows = try played.surroundings(of: ids)
      guard let seq = rows.last(where: { $0.seq <= played.now.seq })?.seq else { return [] }
      let (lanes, legend) = LanePicture(rows, marked: seq, words: words).parts(width: width - 2)
      return lanes.map { cut("  " + $0) } + legend.map { style.dim("  " + $0) }
    }
  }

  private func called(_ visit: OpenVisit) -> String { words.visit(visit.visit, visit.state) }

  private func labelled(_ label: String, _ text: String) -> [String] {
    TextWrap.lines(text, width: width - 13).enumerated().map { place, line in
      cut("  " + DisplayWidth.pad(place == 0 ? label : "", to: 11) + line.isolated)
    }
  }

  private func cut(_ text: String) -> String { DisplayWidth.cut(text, to: width) }
}
