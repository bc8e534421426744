import Dispatch
public import Staty

/// Shows notices one at a time, and goes on when the main queue comes to it.
@MainActor public final class NoticeController {
  public let probe: ControllerProbe
  private let isFixed: Bool
  private let later: @MainActor (@escaping () -> Void) -> Void
  private var shown: Notice?
  private var waiting: [Notice] = []
  private var isMoving = false

  /// - Parameters:
  ///   - isFixed: whether it lets a move come to its end. It once did not: that was a bug.
  ///   - later: puts a step off.
  public init(
    probe: ControllerProbe = ControllerProbe("notices"), isFixed: Bool = false,
    later: @escaping @MainActor (@escaping () -> Void) -> Void = { step in
      DispatchQueue.main.async { step() }
    }
  ) {
    self.probe = probe
    self.isFixed = isFixed
    self.later = later
  }

  /// Somebody asks for a notice.
  public func show(_ notice: Notice, file: StaticString = #fileID, line: UInt = #line) {
    notice.notices = self
    probe.requested(notice, named: notice.name, file: file, line: line) {
      waiting.append(notice)
      showNextLater()
    }
  }

  /// Nobody is shown any more who still waits.
  public func dropWaiting() {
    probe.cancelled(.all) {
      for notice in waiting { probe.discarded(notice, .cancelled) }
      waiting = []
    }
  }

  /// A notice reports that it has entered.
  public func didEnter(_ notice: Notice) {
    probe.completed(.entered, notice) {
      isMoving = false
      showNextLater()
    }
  }

  /// A notice reports that it has exited.
  public func didExit(_ notice: Notice) {
    probe.completed(.exited, notice) {
      (isMoving, shown) = (false, nil)
      showNextLater()
    }
  }

  private func showNextLater() {
    later(probe.deferred { self.showNext() })
  }

  private func showNext() {
    if waiting.isEmpty || isFixed && isMoving { return }
    isMoving = true
    if let shown {
      probe.telling(.exit, shown) { shown.exit() }
    } else {
      let next = waiting.removeFirst()
      shown = next
      probe.telling(.enter, next) { next.enter() }
    }
  }
}

/// A notice; what it shows, and when it is in and out, is up to it.
@MainActor open class Notice {
  public let name: StateName
  public weak var notices: NoticeController?

  public init(_ name: StateName) { self.name = name }

  open func enter() { notices?.didEnter(self) }
  open func exit() { notices?.didExit(self) }
}
