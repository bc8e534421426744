import StatyRecorder
import StatyUIKit
import UIKit

/// The listings of the page for those who come from a state view controller.
enum Notes {
  enum NotesState {
    case loading
    case ready([String])
  }

  class NotesViewController: StateViewController<NotesState> {
    let store = NotesStore()
    let spinner = UIViewController()
    let list = NotesList()

    override func loadAppearanceState() -> NotesState {
      store.notes.isEmpty ? .loading : .ready(store.notes)
    }

    override func children(for state: NotesState) -> [UIViewController] {
      switch state {
      case .loading: return [spinner]
      case .ready: return [list]
      }
    }

    override func willTransition(to state: NotesState, animated: Bool) {
      if case .ready(let notes) = state { list.notes = notes }
    }

    override func didTransition(from previous: NotesState?, animated: Bool) {
      guard case .loading = currentState else { return }
      store.load { notes in
        self.setNeedsStateTransition(to: .ready(notes), animated: true)
      }
    }
  }

  final class NotesList: UIViewController {
    var notes: [String] = []
  }

  @MainActor final class NotesStore {
    var notes: [String] = []

    func load(_ done: @escaping @MainActor @Sendable ([String]) -> Void) {
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { done(["One", "Two"]) }
    }
  }

  @MainActor static func record(_ notes: NotesViewController, _ recorder: HistoryRecorder) {
    recorder.attach(to: notes, as: "notes")
  }
}
