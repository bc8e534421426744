import Staty

/// The states of a list of comments, and a few more with children in other orders.
enum ListState {
  case loading
  case list([String])
  case layered([String])
  case nothing
}

/// Stands in for a container view controller: logs its calls, and keeps each animation until a test
/// ends it.
final class ContainerDouble: ContainerHost {
  let controller = ContainerController<ListState, String>()
  var appearanceState = ListState.loading
  var log: [String] = []
  var present: [String] = []
  var animations: [AnimationDouble] = []
  var onWill: ((ListState) -> Void)?
  var onDid: ((ListState?) -> Void)?
  var onLoad: (() -> Void)?
  var onChild: ((String) -> Void)?
  private(set) var loads = 0
  private(set) var leaving: [String] = []

  init() {
    controller.bind(to: self)
  }

  /// The calls since the last time.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  func appear(animated: Bool = false) {
    controller.willAppear(animated: animated)
    controller.didAppear(animated: animated)
  }

  func disappear() {
    controller.willDisappear(animated: false)
    controller.didDisappear(animated: false)
  }

  func go(_ state: ListState, animated: Bool = false) {
    controller.setNeedsTransition(to: state, animated: animated)
  }

  func loadAppearanceState() -> ListState {
    loads += 1
    onLoad?()
    return appearanceState
  }

  func children(for state: ListState) -> [String] {
    switch state {
    case .loading: ["spinner"]
    case .list: ["list"]
    case .layered(let names): names
    case .nothing: []
    }
  }

  func add(_ child: String, at index: Int) {
    present.insert(child, at: index)
    log.append("add \(child) at \(index)")
  }

  func move(_ child: String, to index: Int) {
    present.removeAll { $0 == child }
    present.insert(child, at: index)
    log.append("move \(child) to \(index)")
  }

  func willRemove(_ child: String) {
    leaving.append(child)
  }

  func remove(_ child: String) {
    present.removeAll { $0 == child }
    log.append("remove \(child)")
  }

  func childWillAppear(_ child: String, animated: Bool) { note("+\(child)…", child, animated) }
  func childDidAppear(_ child: String, animated: Bool) { note("+\(child)", child, animated) }
  func childWillDisappear(_ child: String, animated: Bool) { note("-\(child)…", child, animated) }
  func childDidDisappear(_ child: String, animated: Bool) { note("-\(child)", child, animated) }

  private func note(_ line: String, _ child: String, _ animated: Bool) {
    log.append(line + (animated ? " animated" : ""))
    onChild?(line)
  }

  func willTransition(to state: ListState, animated: Bool) {
    log.append("will \(StateName(ofCase: state))")
    onWill?(state)
  }

  func didTransition(from previous: ListState?, animated: Bool) {
    log.append("did from \(previous.map { "\(StateName(ofCase: $0))" } ?? "nothing")")
    onDid?(previous)
  }

  func animate(
    appearing: [String], disappearing: [String], completion: @escaping (Bool) -> Void
  ) -> (any ContainerAnimation)? {
    log.append("animate \(appearing) \(disappearing)")
    let animation = AnimationDouble(completion)
    animations.append(animation)
    return animation
  }
}

/// An animation that ends when a test says so.
final class AnimationDouble: ContainerAnimation {
  let completion: (Bool) -> Void
  private(set) var wasFinishedEarly = false

  init(_ completion: @escaping (Bool) -> Void) {
    self.completion = completion
  }

  func finishEarly() {
    wasFinishedEarly = true
    // Like UIKit's animators, the double calls the completion inside of this call.
    completion(true)
  }
}
