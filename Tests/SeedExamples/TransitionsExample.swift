import Staty
import StatyRecorder
import StatyUIKit
import UIKit

/// The second article's example: one place knows how to get from each view to each other.
enum TransitionsExample {
  enum Screen: StateKey, CaseIterable {
    case list, detail, settings, help
  }

  @MainActor static var routes: Routes<Screen> {
    Routes {
      Start { To(.list) }
      From(.list) {
        To(.detail).needing(String.self)
        To(.settings)
      }
      From(.detail) { Previous(.list) }
      From(.settings) { To(.help) }
      From(.help) { To(.list) }
    }
  }

  @MainActor static func run(_ recorder: HistoryRecorder) {
    let root = UINavigationController(nibName: nil, bundle: nil)
    let transitions = TransitionController<Screen>(root: root, routes: routes) {
      $0 == .settings || $0 == .help ? .modal(.pageSheet) : .push
    } makeView: { screen, context in
      let controller = UIViewController()
      controller.title = context as? String ?? "\(screen)"
      return controller
    }
    recorder.attach(to: transitions, as: "app")
    let window = Stage.show(root)
    transitions.show(.list)
    UIKitDouble.run()
    transitions.show(.detail, context: "Book")
    UIKitDouble.run()
    root.tapBack()
    UIKitDouble.run()
    // Help is requested while settings are being presented.
    transitions.show(.settings)
    transitions.show(.help)
    UIKitDouble.run()
    Stage.expect(
      root.presentedViewController?.presentedViewController?.title == "help", "help is on top")
    transitions.show(.list)
    UIKitDouble.run()
    Stage.expect(root.presentedViewController == nil, "the list is shown again")
    Stage.kept.append(transitions)
    Stage.end(window)
  }
}
