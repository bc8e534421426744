import StatyRecorder
import StatyUIKit
import UIKit

/// The listings of the page for those who come from a transition controller.
enum Screens {
  struct Item {}

  enum Screen: StateKey, CaseIterable {
    case list, detail, settings
  }

  final class RootController: UINavigationController, TransitionControllerProvider {
    private(set) lazy var transitions: TransitionController<Screen> = TransitionController(
      root: self,
      routes: Routes {
        Start { To(.list) }
        From(.list) {
          To(.detail).needing(Item.self)
          To(.settings)
        }
        From(.detail) { Previous(.list) }
        From(.settings) { Previous(.list) }
      },
      presentation: { $0 == .settings ? .modal(.pageSheet) : .push },
      makeView: { screen, context in
        switch screen {
        case .list: ListController()
        case .detail: DetailController(item: context as? Item)
        case .settings: SettingsController()
        }
      })
  }

  final class ListController: UIViewController {
    func open(_ item: Item) {
      transitionController(for: Screen.self)?.show(.detail, context: item, from: self)
    }
  }

  final class DetailController: UIViewController {
    let item: Item?

    init(item: Item?) {
      self.item = item
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func goBack() {
      transitionController(for: Screen.self)?.show(to: .previous, from: self)
    }
  }

  final class SettingsController: UIViewController {}

  @MainActor static func record(_ root: RootController, _ recorder: HistoryRecorder) {
    recorder.attach(to: root.transitions, as: "app")
  }
}
