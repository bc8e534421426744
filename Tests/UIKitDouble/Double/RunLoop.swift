// The part of Core Foundation's run loop that UIKit exports with Foundation. The double's only run
// loop is that of its main queue.

public typealias CFIndex = Int
public typealias CFOptionFlags = UInt

/// What a run loop does.
public struct CFRunLoopActivity: OptionSet, Sendable {
  public let rawValue: CFOptionFlags
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
  public static let beforeWaiting = CFRunLoopActivity(rawValue: 1 << 5)
  public static let exit = CFRunLoopActivity(rawValue: 1 << 7)
}

/// A kind of work that a run loop can be limited to.
public struct CFRunLoopMode: Hashable, Sendable {
  let name: String
  public static let commonModes = CFRunLoopMode(name: "common")
}

/// The run loop of the main thread.
public final class CFRunLoop: Sendable {
  fileprivate static let main = CFRunLoop()
}

/// Memory that Core Foundation's objects are made in; not used by the double.
public final class CFAllocator: Sendable {}

/// An observer of a run loop.
public final class CFRunLoopObserver {
  fileprivate let activities: CFRunLoopActivity
  fileprivate let order: CFIndex
  fileprivate let block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)?
  fileprivate var isValid = true

  fileprivate init(
    _ activities: CFRunLoopActivity, _ order: CFIndex,
    _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)?
  ) {
    (self.activities, self.order, self.block) = (activities, order, block)
  }
}

public func CFRunLoopGetMain() -> CFRunLoop! { .main }

public func CFRunLoopObserverCreateWithHandler(
  _ allocator: CFAllocator!, _ activities: CFOptionFlags, _ repeats: Bool, _ order: CFIndex,
  _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! {
  CFRunLoopObserver(CFRunLoopActivity(rawValue: activities), order, block)
}

@MainActor public func CFRunLoopAddObserver(
  _ loop: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) {
  RunLoopObservers.add(observer)
}

public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver!) {
  observer.isValid = false
}

/// The observers of the main run loop.
@MainActor enum RunLoopObservers {
  private static var all: [CFRunLoopObserver] = []

  /// Adds one behind those that do not have a higher order.
  fileprivate static func add(_ observer: CFRunLoopObserver) {
    let place = all.firstIndex { $0.order > observer.order } ?? all.count
    all.insert(observer, at: place)
  }

  /// Tells them that there is nothing to do.
  static func tellBeforeWaiting() {
    all.removeAll { !$0.isValid }
    for observer in all where observer.activities.contains(.beforeWaiting) {
      observer.block?(observer, .beforeWaiting)
    }
  }
}
