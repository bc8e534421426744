import Staty
import StatyRecorder
import StatySpecimens
import StatyUIKit
import UIKit

/// The first article's view controller, with UIKit's alert and indicator.
private final class Checkout: UIViewController, LoadingStateStrategyProvider,
  AlertStateStrategyProvider
{
  var alert: UIAlertController? { presentedViewController as? UIAlertController }
}

extension FaultyExamples {
  /// One state for a second, and then three quick requests.
  ///
  /// The middle one must be told to exit.
  static func secondLast(_ recorder: HistoryRecorder) {
    let view = Checkout()
    let scene = FaultyScene(Staty2019.self, recorder, as: "checkout", in: view)
    scene.request(scene.loading(on: view))
    UIKitDouble.advance(by: 1)
    scene.request(scene.loading(on: view))
    scene.request(scene.loading(on: view))
    scene.request(scene.alert(on: view))
    scene.finish()
  }

  /// A state that was told to exit before it entered is never told again, and an alert waits behind
  /// it.
  static func stuckBehindSecondLast(_ recorder: HistoryRecorder) {
    let view = Checkout()
    let scene = FaultyScene(Staty2019.self, recorder, as: "checkout", in: view)
    scene.request(scene.loading(on: view))
    UIKitDouble.advance(by: 1)
    scene.request(scene.state("content", onExit: { _ in }))
    scene.request(scene.alert(on: view))
    UIKitDouble.advance(by: 5)
    Stage.expect(view.alert == nil, "no alert is shown")
    scene.request(scene.state("empty"))
    scene.finish()
  }

  /// An alert that the user closes while it is alone stays at the head of the queue.
  static func closedAlert(_ recorder: HistoryRecorder) {
    let view = Checkout()
    let scene = FaultyScene(Staty2019.self, recorder, as: "checkout", in: view)
    scene.request(scene.alert(on: view))
    UIKitDouble.advance(by: 1)
    view.alert?.press("OK")
    UIKitDouble.advance(by: 1)
    scene.request(scene.loading(on: view))
    UIKitDouble.advance(by: 5)
    Stage.expect(!(view.view.subviews.last is IndicatorView), "nothing loads")
    scene.finish()
  }

  /// An indicator that reports the end of its fading twice: when it has faded, and after a second.
  static func secondExit(_ recorder: HistoryRecorder) {
    let view = Checkout()
    let scene = FaultyScene(Staty2019.self, recorder, as: "checkout", in: view)
    let loading = scene.loading(on: view)
    let leave = loading.onExit
    loading.onExit = { state in
      leave(state)
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { state.complete(.exited) }
    }
    scene.request(loading)
    UIKitDouble.advance(by: 1)
    // This state does nothing when it is told to exit.
    scene.request(scene.state("content", onExit: { _ in }))
    scene.request(scene.alert(on: view))
    scene.finish()
  }

  /// A state that is told to exit in the turn of its request looks for its indicator too early.
  static func sameTurn(_ recorder: HistoryRecorder) {
    let view = Checkout()
    let scene = FaultyScene(Staty2019.self, recorder, as: "checkout", in: view)
    var target: Checkout?
    let lookUp = Once { target?.loadingStateStrategy() }
    let loading = scene.state("loading") { state in
      target = view
      guard let strategy = lookUp.value else { return }
      strategy.show()
      state.complete(.entered)
    } onExit: { state in
      lookUp.value?.hide { state.complete(.exited) }
    }
    scene.request(loading)
    scene.request(scene.alert(on: view))
    UIKitDouble.run()
    Stage.expect(view.view.subviews.isEmpty && view.alert == nil, "nothing is shown")
    scene.finish()
  }

  /// A view that provides no indicator: the state returns and reports nothing.
  static func noStrategy(_ recorder: HistoryRecorder) {
    let view = UIViewController()
    let scene = FaultyScene(Staty2019.self, recorder, as: "checkout", in: view)
    let loading = scene.state("loading") { state in
      guard let provider = view as? any LoadingStateStrategyProvider else { return }
      provider.loadingStateStrategy().show()
      state.complete(.entered)
    } onExit: { _ in
    }
    scene.request(loading)
    UIKitDouble.advance(by: 1)
    scene.request(scene.state("content"))
    scene.finish()
  }
}

extension FaultyScene {
  fileprivate func loading(on view: Checkout) -> PlayedState {
    let strategy = view.loadingStateStrategy()
    return state("loading") { state in
      strategy.show()
      state.complete(.entered)
    } onExit: { state in
      strategy.hide { state.complete(.exited) }
    }
  }

  /// Exits when the user closes it, and does nothing when it is told to exit.
  fileprivate func alert(on view: Checkout) -> PlayedState {
    let strategy = view.alertStateStrategy()
    return state("alert") { state in
      strategy.show("Sold out", onShow: {}, onClose: { state.complete(.exited) })
      state.complete(.entered)
    } onExit: { _ in
    }
  }
}

/// Looks a value up once and keeps the result.
@MainActor private final class Once<Value> {
  private let find: () -> Value
  private(set) lazy var value = find()
  init(_ find: @escaping () -> Value) { self.find = find }
}
