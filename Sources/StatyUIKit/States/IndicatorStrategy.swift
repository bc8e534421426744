#if canImport(UIKit)
  public import UIKit

  /// Shows a turning wheel over a view, and fades it out in 0.6 seconds.
  @MainActor public final class IndicatorStrategy: LoadingStateStrategy {
    private weak var view: UIView?
    private var indicator: IndicatorView?

    /// A strategy for this view, which it does not keep alive.
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
        // An interrupted fading is over as well.
        indicator.wheel.stopAnimating()
        indicator.removeFromSuperview()
        completion()
      }
    }
  }

  /// A wheel in the middle of a view that takes all touches.
  @MainActor public final class IndicatorView: UIView {
    /// The wheel.
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
    /// The default: an indicator over the controller's view.
    public func loadingStateStrategy() -> any LoadingStateStrategy { IndicatorStrategy(over: view) }
  }

  extension LoadingStateStrategyProvider where Self: UIView {
    /// The default: an indicator over the view.
    public func loadingStateStrategy() -> any LoadingStateStrategy { IndicatorStrategy(over: self) }
  }
#endif
