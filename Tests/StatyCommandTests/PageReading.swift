import Foundation
import Testing

/// A page as a browser reads it.
struct PageReading {
  /// An event as the page's columns say it.
  struct Event: Equatable {
    var seq: Int64
    var time: Int64
    var kind: Int64
    /// How far its visit is after it.
    var phase: Int64
    var controller: String
    var visit: Int64
    var state: String
    var cause: Int64
    var site: String
  }

  let html: String
  let policy: String
  /// The nonces of the style and of the script.
  let nonces: [String]
  /// The scripts that are no data.
  let scripts: [String]
  private let data: [String: String]

  init(_ html: String) throws {
    self.html = html
    policy = String(
      try #require(html.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1)
    nonces = html.matches(of: /<(?:style|script) nonce="([0-9a-f]+)">/).map { String($0.1) }
    scripts = html.matches(of: /<script nonce="[^"]*">((?s).*?)<\/script>/).map { String($0.1) }
    let blocks = html.matches(
      of: /<script type="application\/json" id="([a-z0-9-]+)">((?s).*?)<\/script>/)
    data = Dictionary(
      blocks.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { first, _ in first })
  }

  func text(of id: String) throws -> String { try #require(data[id]) }

  func object(_ id: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(text(of: id).utf8))
    return try #require(object as? [String: Any])
  }

  /// The numbers of the sessions in the page, as its menu has them.
  var sessions: [Int] {
    get throws {
      let listed = try object("facts")["sessions"] as? [[String: Any]] ?? []
      let here = listed.filter { $0["isHere"] as? Bool == true }.compactMap { $0["id"] as? Int }
      #expect(Set(here.map { "session-\($0)" }) == Set(data.keys.filter { $0 != "facts" }))
      return here
    }
  }

  /// The number of the session that is shown first.
  var shown: Int? { get throws { try object("facts")["shown"] as? Int } }

  /// The events of a session, decoded.
  func events(of session: Int) throws -> [Event] {
    let object = try object("session-\(session)")
    func column(_ name: String) throws -> [Int64] { try #require(object[name] as? [Int64]) }
    let names = try #require(object["names"] as? [String])
    let sites = try #require(object["sites"] as? [String])
    let controllers = try #require(object["controllers"] as? [[String: Any]])
    let gaps = try #require(object["gaps"] as? [[Int]])
    let (time, kind, controller) = (
      try column("time"), try column("kind"), try column("controller")
    )
    let whats = try column("whats")
    let (visit, state, back) = (try column("visit"), try column("state"), try column("back"))
    let site = try column("site")
    var seq = (object["seq"] as? Int64 ?? 1) - 1
    var (clock, number) = (Int64(0), Int64(0))
    return try time.indices.map { place in
      seq += 1 + Int64(gaps.first { $0[0] == place }?[1] ?? 0)
      clock += time[place]
      number += visit[place]
      let what = whats[Int(kind[place])]
      let name = controller[place] < 0 ? "" : controllers[Int(controller[place])]["name"]
      return Event(
        seq: seq, time: clock, kind: what >> 3, phase: what & 7,
        controller: try #require(name as? String),
        visit: number, state: names[Int(state[place])],
        cause: back[place] == 0 ? 0 : seq - back[place], site: sites[Int(site[place])])
    }
  }
}
