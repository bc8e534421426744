import CLeftovers

/// A temporary file or folder of this process, which is removed at its end, even if a signal ends
/// it.
///
/// Only a program that calls `goWithSignals` removes it after a signal, because a library must not
/// decide about signals.
package struct Leftover {
  private let number: Int32

  /// A database with SQLite's files next to it, or any other file.
  package init(database path: String) {
    number = staty_leftover_note(path, staty_leftover_database)
  }

  /// A folder, which is removed if it is empty then.
  package init(folder path: String) {
    number = staty_leftover_note(path, staty_leftover_folder)
  }

  /// Notes that it was removed.
  package func forget() { staty_leftover_forget(number) }

  /// Removes all of them at the end of the process.
  package static func removeAll() { staty_leftovers_remove() }

  /// Removes all of them if the process is interrupted, terminated or loses its terminal from now
  /// on.
  package static func goWithSignals() { staty_leftovers_go_with_signals() }
}
