internal import Foundation
import StatyText

/// What is wrong in the histories of a folder, as a page of HTML without any script.
package struct FleetPage {
  private let summary: FleetSummary
  private let folder: String
  private let made: String
  /// So many versions stand beside each other, the newest.
  private static let mostColumns = 12

  /// - Parameters:
  ///   - folder: what the folder is called.
  ///   - made: what made the page.
  package init(_ summary: FleetSummary, folder: String, made: String) {
    (self.summary, self.folder, self.made) = (summary, folder, made)
  }

  /// The page.
  package var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src '\(PageTemplate.hash(Self.style))'; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>Staty fleet report</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <header>
      <p class="kicker">\(HTMLText.name(folder))</p>
      <h1>Fleet report</h1>
      <dl class="figures">\(figures)</dl>
    </header>
    <main>
    \([codes, versions, controllers, worst, damages].filter { !$0.isEmpty }.joined(separator: "\n"))
    </main>
    <footer><p>\(HTMLText.escaped(made))</p></footer>
    </body>
    </html>

    """
  }

  private static let style =
    PageTemplate.style + String(decoding: PackageResources.fleet_css, as: UTF8.self)

  private var figures: String {
    func figure(_ name: String, _ number: Int, isBad: Bool = false) -> String {
      "<div><dt>\(name)</dt><dd\(isBad && number > 0 ? " class=\"bad\"" : "")>"
        + "\(grouped(number))</dd></div>"
    }
    return figure("Files", summary.files) + figure("Sessions", summary.sessions)
      + figure("Events", Int(summary.events)) + figure("Lost", Int(summary.lost), isBad: true)
      + figure("With errors", summary.broken, isBad: true)
      + figure("Unreadable", summary.damageCount, isBad: true)
  }
}

// MARK: Tables

extension FleetPage {
  /// The codes, those in the most sessions first.
  private var sortedCodes: [String] {
    summary.byCode.sorted { ($1.value.sessions, $0.key) < ($0.value.sessions, $1.key) }.map(\.key)
  }

  private var codes: String {
    let rows = sortedCodes.map { code in
      let count = summary.byCode[code] ?? .init()
      return [
        label(code), severity(code), number(count.sessions), share(count.sessions),
        number(count.findings),
      ]
    }
    guard !rows.isEmpty else {
      let praise = summary.sessions == 0 ? "No session could be judged." : "No rule is broken."
      return section("Violations", "<p>\(praise)</p>")
    }
    return section(
      "Violations",
      table(["Code", "Severity", "#Sessions", "#Of all", "#Findings"], rows))
  }

  private var versions: String {
    let all = summary.releases.keys.sorted()
    let shown = all.suffix(Self.mostColumns)
    guard !summary.byCode.isEmpty else { return "" }
    let isOneApp = Set(all.map(\.app)).count < 2
    let heads = shown.map { release in
      "#" + (isOneApp ? "" : HTMLText.name(release.app, most: 24) + " ")
        + HTMLText.name(release.version, most: 24)
    }
    let rows =
      sortedCodes.map { code in
        [label(code)]
          + shown.map { release in
            cell(
              summary.byRelease[code]?[release] ?? 0, of: summary.releases[release, default: 0])
          }
      } + [
        ["<td class=\"soft\">sessions</td>"]
          + shown.map { number(summary.releases[$0, default: 0], "soft") }
      ]
    let older = all.count - shown.count
    let note =
      "In how many of a hundred sessions of a version each rule is broken."
      + (older == 0 ? "" : " The newest \(shown.count); \(grouped(older)) older are not shown.")
    return section(
      "By app version", "<p class=\"note\">\(note)</p>" + table(["Code"] + heads, rows))
  }

  private var controllers: String {
    let names = summary.byController.sorted {
      ($1.value.values.reduce(0, +), $0.key) < ($0.value.values.reduce(0, +), $1.key)
    }
    let rows = names.prefix(50).map { name, counts in
      let codes = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { code, count in
        "<span class=\"counted\"><span class=\"code\">\(HTMLText.escaped(code))</span> \(grouped(count))</span>"
      }
      return ["<td>\(HTMLText.name(name))</td>", "<td>\(codes.joined(separator: ", "))</td>"]
    }
    guard !rows.isEmpty else { return "" }
    let more = names.count - rows.count
    return section(
      "By controller",
      table(["Controller", "Sessions in which it breaks a rule"], rows)
        + (more == 0 ? "" : "<p class=\"note\">\(grouped(more)) more are not shown.</p>"))
  }

  private var worst: String {
    let rows = summary.worst.map { session in
      var codes: [String] = []
      for finding in session.findings where !codes.contains(finding.code) {
        codes.append(finding.code)
      }
      return [
        "<td><a href=\"\(HTMLText.address(session.link))\">\(HTMLText.name(session.file))</a>"
          + "\(session.id == 1 ? "" : " <span class=\"soft\">session \(session.id)</span>")</td>",
        number(session.errors, session.errors > 0 ? "bad" : ""), number(session.warnings),
        number(Int(session.lost)),
        "<td>\(codes.map { "<span class=\"code\">\(HTMLText.escaped($0))</span>" }.joined(separator: ", "))</td>",
        "<td>\(HTMLText.name(session.version, most: 40))</td>",
        "<td>\(HTMLText.name(session.os, most: 40))</td>",
        "<td class=\"time\">\(HTMLText.escaped(session.started))</td>",
      ]
    }
    guard !rows.isEmpty else { return "" }
    return section(
      "Worst sessions",
      "<p class=\"note\"><code>staty check FILE</code> explains what is wrong in one, and "
        + "<code>staty report FILE -o page.html</code> shows it.</p>"
        + table(
          ["File", "#Errors", "#Warnings", "#Lost", "Codes", "Version", "System", "Began"], rows))
  }

  private var damages: String {
    guard summary.damageCount > 0 else { return "" }
    let rows = summary.damages.map { damage in
      [
        "<td>\(HTMLText.name(damage.file))</td>",
        "<td>\(HTMLText.escaped(damage.problem.shortened(to: 300)))</td>",
      ]
    }
    let more = summary.damageCount - rows.count
    return section(
      "What could not be read",
      table(["File", "Problem"], rows)
        + (more == 0 ? "" : "<p class=\"note\">\(grouped(more)) more are not shown.</p>"))
  }
}

// MARK: What tables consist of

extension FleetPage {
  private func section(_ title: String, _ content: String) -> String {
    "<section><h2>\(title)</h2>\(content)</section>"
  }

  /// - Parameters:
  ///   - heads: what stands above the columns, as HTML; of numbers after `#`.
  ///   - rows: cells, as HTML.
  private func table(_ heads: [String], _ rows: [[String]]) -> String {
    let head = heads.map { head in
      head.hasPrefix("#")
        ? "<th scope=\"col\" class=\"number\">\(head.dropFirst())</th>"
        : "<th scope=\"col\">\(head)</th>"
    }.joined()
    let body = rows.map { "<tr>\($0.joined())</tr>" }.joined(separator: "\n")
    return "<div class=\"scroll\"><table><thead><tr>\(head)</tr></thead>\n<tbody>\(body)</tbody>"
      + "</table></div>"
  }

  private func label(_ code: String) -> String {
    "<th scope=\"row\" class=\"code\">\(HTMLText.escaped(code))</th>"
  }

  private func severity(_ code: String) -> String {
    summary.severities[code] == true
      ? "<td class=\"bad\">error</td>" : "<td class=\"doubtful\">warning</td>"
  }

  private func number(_ number: Int, _ style: String = "") -> String {
    "<td class=\"number\(style.isEmpty ? "" : " " + style)\">\(grouped(number))</td>"
  }

  private func share(_ count: Int) -> String {
    "<td class=\"number\">\(percent(count, of: summary.sessions))</td>"
  }

  private func cell(_ count: Int, of all: Int) -> String {
    guard count > 0, all > 0 else { return "<td class=\"number soft\">–</td>" }
    let share = Double(count) / Double(all)
    let heat = share >= 0.5 ? 4 : share >= 0.1 ? 3 : share >= 0.01 ? 2 : 1
    return
      "<td class=\"number heat-\(heat)\" title=\"\(grouped(count)) of \(grouped(all)) sessions\">"
      + "\(percent(count, of: all))</td>"
  }

  private func percent(_ count: Int, of all: Int) -> String {
    guard all > 0 else { return "–" }
    let tenths = (1_000 * count + all / 2) / all
    return tenths == 0 && count > 0 ? "&lt; 0.1 %" : "\(tenths / 10).\(tenths % 10) %"
  }

  private func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number.magnitude).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }
}
