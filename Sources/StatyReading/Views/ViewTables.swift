extension HistoryViews {
  /// The meaning of one row of a view.
  package static func row(of view: String) -> String {
    switch view {
    case "history": "event"
    case "sessions": "run of a process that recorded"
    case "visits": "request, with its times and what came of it"
    case "dwell": "controller and state, with how long its visits were shown"
    case "waits": "controller and state, with how long its visits waited to enter"
    case "transitions": "controller and transition from one state to another"
    case "slowest": "completed transition, with what took its time, the slowest first"
    case "stuck": "visit that cannot go on, the one that waited longest first"
    case "losses": "run of events that are missing"
    default: "broken ordering rule, in the checked part of the session"
    }
  }
}
