import StatyHistory
import StatyReading
import StatyReplay
import StatySQLite
import StatyText

/// Why the tool failed: what it was doing, to what, and what to do now.
struct Failure: Error, Equatable {
  let status: ExitCode
  /// What was being done, to what, and what is wrong.
  let message: String
  /// What to do now; empty if the message says it.
  var advice: String = ""
  /// Lines that show the place in question.
  var excerpt: [String] = []

  /// The lines of the report, without a limit of width.
  var lines: [String] { lines(width: .max) }

  /// The lines of the report, wrapped at this width.
  func lines(width: Int) -> [String] {
    let advised = advice.isEmpty ? [] : TextWrap.fitting(advice.visible, width: width - 2)
    return TextWrap.fitting("Error: " + message.visible, width: width)
      + excerpt.map { "    " + $0.visible } + advised.map { "  " + $0 }
  }
}

extension Failure {
  /// What to do with a damaged file.
  static let damageAdvice =
    "Take another copy from where it was recorded, or get out what is left: 'staty doctor FILE "
    + "--salvage OUT'."

  /// What to do with a recording that cannot be played from its beginning to its end.
  static let wholeAdvice =
    "Take a history that is whole; the subcommand 'doctor' says what is lost."
  static let earlierAdvice = "Record from the controller's beginning on, and do not prune."
  static let fullAdvice = "Let the app's probe report in full."
  static let partedAdvice =
    "The controller of this tool may not have the bug any more, or cannot be told something: "
    + "the subcommand 'replay' says where it parts from what was recorded."

  /// The failure for any error of a run.
  ///
  /// Wrong usage, and an output that cannot be written, are reported by the callers.
  init(_ error: any Error, doing: String) {
    switch error {
    case let failure as Failure: self = failure
    case let error as HistoryError: self.init(error, doing: doing)
    case let error as EditError:
      self.init(
        status: .usage, message: "\(doing): \(error.description.visible)",
        advice: Self.advice(error))
    case let error as RegistryError:
      self.init(status: .usage, message: "\(doing): \(error.description.visible)")
    case let change as HistoryMerge.Change:
      self.init(
        status: .badData,
        message: "\(doing): session \(change.uuid.visible) was changed meanwhile.",
        advice: "Try again when no process records into it.")
    case let error as MigrationError: self.init(HistoryError.refused(error), doing: doing)
    case let error as SQLiteError: self.init(HistoryError.failed(error), doing: doing)
    default:
      self.init(
        status: .bug, message: "\(doing): \(String(describing: error).escapedForOneLine).",
        advice: "This is a bug in the tool. Please report it with the command line and the file.")
    }
  }

  private static func advice(_ error: EditError) -> String {
    if error.isMalformed {
      return "An edit is 'skip 12', 'delay 12=50ms', 'finish 12' or 'insert after 12: alert'."
    }
    if case .contradiction = error { return "" }
    return
      "The subcommand 'show' lists the events; '--session' and '--controller' choose which are "
      + "replayed."
  }

  private init(_ error: HistoryError, doing: String) {
    switch error {
    case .refused(let refusal): self.init(refusal, doing: doing)
    case .empty:
      self.init(
        status: .badData, message: "\(doing): the file is empty.",
        advice: "An app that was killed before it stored anything leaves such a file.")
    case .damaged(let what):
      self.init(
        status: .badData, message: "\(doing): the history is damaged: \(what).",
        advice: Self.damageAdvice)
    case .noSession: self.init(status: .usage, message: "\(doing): \(error.description).")
    case .older, .nameTooLong:
      self.init(status: .badData, message: "\(doing): \(error.description).")
    case .notCopied, .notShared:
      self.init(status: .cannotWrite, message: "\(doing): \(error.description).")
    case .full(let cause), .outcomeUnknown(let cause), .failed(let cause):
      self.init(cause, doing: doing)
    case .unknownNumber, .foreignNumber:
      // A number in the file that stands for nothing.
      self.init(
        status: .badData, message: "\(doing): \(error.description).", advice: Self.damageAdvice)
    }
  }

  private init(_ refusal: MigrationError, doing: String) {
    switch refusal {
    case .newer(let found, let known):
      self.init(
        status: .badData,
        message: "\(doing): it has schema \(found), and this tool knows schemas up to \(known).",
        advice: "Use a newer staty; this one has not touched the file.")
    case .otherApplication, .unmarked:
      self.init(
        status: .badData, message: "\(doing): it is a database, but not a history.",
        advice: "Choose a file that a recorder of Staty has written.")
    case .failed(_, _, let error) where error.isOfWriting: self.init(error, doing: doing)
    case .changed, .damagedRecord, .failed:
      self.init(
        status: .badData, message: "\(doing): the history is damaged: \(refusal.description).",
        advice: Self.damageAdvice)
    case .sqlite(let error): self.init(error, doing: doing)
    }
  }

  private init(_ error: SQLiteError, doing: String) {
    switch error.code {
    case _ where error.isOfWriting:
      self.init(
        status: .cannotWrite,
        message: "\(doing): the system does not write it: \(error.message).",
        advice: "Make space, where TMPDIR is, too, or write elsewhere.")
    case .notADatabase:
      self.init(
        status: .badData, message: "\(doing): it is not a history.",
        advice: "Choose a file that a recorder of Staty has written.")
    case .cannotOpen:
      self.init(
        status: .noInput, message: "\(doing): \(error.message).", advice: "Check the path.")
    case .busy, .locked:
      self.init(
        status: .noInput, message: "\(doing): another process has locked it.",
        advice: "Try again when it is done.")
    case .outOfMemory:
      self.init(
        status: .cannotWrite, message: "\(doing): there is not enough memory for it.",
        advice: "Try again where there is more.")
    case .corrupt, .inputOutput, .tooBig, .error:
      self.init(
        status: .badData, message: "\(doing): the history is damaged: \(error.message).",
        advice: Self.damageAdvice)
    default:
      self.init(
        status: .bug, message: "\(doing): \(error.description).",
        advice: "This is a bug in the tool. Please report it with the command line and the file.")
    }
  }
}
