#if canImport(UIKit)
  import UIKit

  /// Is told when a user has gone back, and when he has pulled a sheet down.
  @MainActor
  final class UserWatch: NSObject, UINavigationControllerDelegate,
    UIAdaptivePresentationControllerDelegate
  {
    /// With the sheet, if it was one.
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
