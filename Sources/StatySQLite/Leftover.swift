import CLeftovers

/// Something that this process made for itself and that is to go with it, also when a signal ends it.
///
/// Only a program that asks for it removes anything then: a library decides nothing about signals.
package struct Leftover {
  private let number: Int32

  /// A database with SQLite's files next to it, or any other file.
  package init(database path: String) {
    number = staty_leftover_note(path, staty_leftover_database)
  }

  /// A folder, which goes if nothing else is left in it.
  package init(folder path: String) {
    number = staty_leftover_note(path, staty_leftover_folder)
  }

  /// Says that it has gone.
  package func forget() { staty_leftover_forget(number) }

  /// Removes all that there are, as the process is about to end.
  package static func removeAll() { staty_leftovers_remove() }

  /// From now on being interrupted, asked to end or left by the terminal removes all that there are.
  package static func goWithSignals() { staty_leftovers_go_with_signals() }
}
