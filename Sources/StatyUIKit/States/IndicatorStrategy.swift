#if canImport(UIKit)
  public import UIKit

  /// Shows an activity indicator over a view, and fades it out in 0.6 seconds.
  @MainActor public final class IndicatorStrategy: LoadingStateStrategy {
    private weak var view: UIView?
    private var indicator: IndicatorView?

    /// Creates a strategy for a view, which is held weakly.
    public init(over view: UIView) {
      self.view = view
    }

    public func show() {
      guard indicator == nil, let view else { return }
      let indicator = IndicatorView(frame: view.bounds)
      indicator.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(indicator)
      indicator.wheel.startAnimating()
      self.indicator = indicator
    }

    public func hide(completion: @escaping () -> Void) {
      guard let indicator = indicator.take() else { return completion() }
      UIView.animate(withDuration: 0.6, delay: 0) {
        indicator.alpha = 0
      } completion: { _ in
        // An interrupted animation has ended as well.
        indicator.wheel.stopAnimating()
        indicator.removeFromSuperview()
        completion()
      }
    }
  }

  /// An activity indicator in the middle of a view that blocks touches.
  @MainActor public final class IndicatorView: UIView {
    /// The activity indicator.
    public let wheel = UIActivityIndicatorView(style: .large)

    public override init(frame: CGRect) {
      super.init(frame: frame)
      wheel.frame = bounds
      wheel.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      addSubview(wheel)
    }

    public required init?(coder: NSCoder) { nil }
  }

  extension LoadingStateStrategyProvider where Self: UIViewController {
    /// By default an activity indicator over the controller's view.
    public func loadingStateStrategy() -> any LoadingStateStrategy { IndicatorStrategy(over: view) }
  }

  extension LoadingStateStrategyProvider where Self: UIView {
    /// By default an activity indicator over the view.
    public func loadingStateStrategy() -> any LoadingStateStrategy { IndicatorStrategy(over: self) }
  }
#endif
