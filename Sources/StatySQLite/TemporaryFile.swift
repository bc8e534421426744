import CTemporaryFiles
import LibC

/// A temporary file or folder of this process that is removed even if a signal ends the process.
///
/// Signals remove nothing until the program calls `removeOnSignals`: a library must not decide about
/// signals.
package struct TemporaryFile {
  private let number: Int32

  /// The folder for temporary files; an empty TMPDIR names none.
  package static var parent: String {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return named.isEmpty ? "/tmp" : named
  }

  /// A database with SQLite's files next to it, or any other file.
  package init(database path: String) {
    number = staty_temporary_note(path, staty_temporary_database)
  }

  /// A folder, which is removed only if it is empty.
  package init(folder path: String) {
    number = staty_temporary_note(path, staty_temporary_folder)
  }

  /// Call it after you have removed the file.
  package func forget() { staty_temporary_forget(number) }

  /// Removes all temporary files; call it before `exit`.
  package static func removeAll() { staty_temporaries_remove() }

  /// From now on SIGINT, SIGTERM and SIGHUP remove all temporary files before they end the process.
  package static func removeOnSignals() { staty_temporaries_remove_on_signals() }
}
