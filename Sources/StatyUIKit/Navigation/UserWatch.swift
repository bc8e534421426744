#if canImport(UIKit)
  import UIKit

  /// Notices when the user has gone back, and when the user has pulled a sheet down.
  @MainActor
  final class UserWatch: NSObject, UINavigationControllerDelegate,
    UIAdaptivePresentationControllerDelegate
  {
    /// Called with the sheet, if the user has pulled one down.
    var onMove: (UIViewController?) -> Void = { _ in }

    func navigationController(
      _ navigationController: UINavigationController, didShow viewController: UIViewController,
      animated: Bool
    ) {
      onMove(nil)
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
      onMove(presentationController.presentedViewController)
    }
  }
#endif
