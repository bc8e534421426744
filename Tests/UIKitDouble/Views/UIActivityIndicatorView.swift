/// A spinning wheel.
@preconcurrency @MainActor open class UIActivityIndicatorView: UIView {
  public enum Style: Int, Sendable {
    case medium = 100
    case large = 101
  }

  open var style: Style
  open var hidesWhenStopped = true
  open private(set) var isAnimating = false

  public init(style: Style) {
    self.style = style
    super.init(frame: .zero)
    isHidden = true
  }

  public required init?(coder: NSCoder) {
    fatalError("The double has no archives.")
  }

  open func startAnimating() {
    isAnimating = true
    isHidden = false
  }

  open func stopAnimating() {
    isAnimating = false
    isHidden = hidesWhenStopped
  }
}

/// A text.
@preconcurrency @MainActor open class UILabel: UIView {
  open var text: String?
  open var textColor: UIColor! = .black
  open var textAlignment = NSTextAlignment.natural
  open var numberOfLines = 1
}

/// How lines of text are aligned.
public enum NSTextAlignment: Int, Sendable {
  case left, center, right, justified, natural
}

/// A color.
public final class UIColor: Sendable {
  public static let black = UIColor()
  public static let white = UIColor()
  public static let red = UIColor()
  public static let lightGray = UIColor()
}
