/// A log that says no more than what happened to which state and when.
enum PlainLog {
  /// The same as an export: with a session, `attached` before a controller's first event, and numbers
  /// of events and visits.
  static func numbered(_ log: String) -> String {
    if log.contains(#""first_seq""#) { return log }
    var (lines, seq): ([String], Int) = ([], 0)
    var visits: [String: (last: Int, open: [(state: String, visit: Int)])] = [:]
    func event(_ line: String, _ members: String) -> String {
      seq += 1
      let time = (Double(line.firstMatch(of: /"t_ms":([0-9.]+)/)!.1)! * 1_000).rounded()
      return #"{"seq":\#(seq),"t_us":\#(Int(time)),\#(members)}"#
    }
    for line in log.split(separator: "\n").map(String.init) {
      guard let kind = line.firstMatch(of: /"kind":"([a-z]+)"/)?.1 else {
        lines.append(line)
        if line.contains(#""format""#) {
          lines.append(#"{"type":"session","uuid":"u","first_seq":1}"#)
        }
        continue
      }
      let name = String(line.firstMatch(of: /"controller":"([^"]+)"/)!.1)
      let state = String(line.firstMatch(of: /"state":"([^"]+)"/)!.1)
      let controller = #""controller":"\#(name)""#
      if visits[name] == nil { lines.append(event(line, #""kind":"attached",\#(controller)"#)) }
      var known = visits[name] ?? (0, [])
      if kind == "enqueued" {
        known.last += 1
        known.open.append((state, known.last))
      }
      let place = known.open.firstIndex { $0.state == state }!
      lines.append(
        event(
          line,
          #""kind":"\#(kind)",\#(controller),"visit":\#(known.open[place].visit),"state":"\#(state)""#
        ))
      if kind == "exited" { known.open.remove(at: place) }
      visits[name] = known
    }
    return (lines + [#"{"type":"end"}"#]).joined(separator: "\n") + "\n"
  }
}
