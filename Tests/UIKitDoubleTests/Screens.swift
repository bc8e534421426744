import UIKit

/// A controller that logs its appearance calls and moves.
final class Screen: UIViewController {
  static var log: [String] = []
  let name: String
  var forwards = true

  init(_ name: String) {
    self.name = name
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override var shouldAutomaticallyForwardAppearanceMethods: Bool { forwards }

  override func viewDidLoad() { note("loaded") }
  override func viewWillAppear(_ animated: Bool) { note("+\(name)…\(moving)") }
  override func viewDidAppear(_ animated: Bool) { note("+\(name)\(moving)") }
  override func viewWillDisappear(_ animated: Bool) { note("-\(name)…\(moving)") }
  override func viewDidDisappear(_ animated: Bool) { note("-\(name)\(moving)") }

  override func willMove(toParent parent: UIViewController?) {
    super.willMove(toParent: parent)
    note("\(name) \(parent == nil ? "will leave" : "will join")")
  }

  override func didMove(toParent parent: UIViewController?) {
    super.didMove(toParent: parent)
    note("\(name) \(parent == nil ? "has left" : "has joined")")
  }

  private var moving: String {
    var words = ""
    if isMovingToParent { words += " joining" }
    if isMovingFromParent { words += " leaving" }
    if isBeingPresented { words += " presented" }
    if isBeingDismissed { words += " dismissed" }
    return words
  }

  private func note(_ line: String) {
    if line != "loaded" { Self.log.append(line) }
  }

  static func takeLog() -> [String] {
    defer { log = [] }
    return log
  }
}

/// Resets the double and shows this root in a window.
///
/// Call it in a test and not in its suite's `init`, because another test may run between the two.
@MainActor func show(_ root: UIViewController, in window: UIWindow) {
  UIKitDouble.reset()
  _ = Screen.takeLog()
  window.rootViewController = root
  window.makeKeyAndVisible()
}

/// Resets the double and returns a window with this root.
@MainActor func window(_ root: UIViewController) -> UIWindow {
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  show(root, in: window)
  return window
}
