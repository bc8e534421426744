/// A value that can be interpolated between two others.
protocol Interpolated {
  func moved(to end: Self, by fraction: CGFloat) -> Self
}

extension CGFloat: Interpolated {
  func moved(to end: CGFloat, by fraction: CGFloat) -> CGFloat { self + (end - self) * fraction }
}

extension CGPoint: Interpolated {
  func moved(to end: CGPoint, by fraction: CGFloat) -> CGPoint {
    CGPoint(x: x.moved(to: end.x, by: fraction), y: y.moved(to: end.y, by: fraction))
  }
}

extension CGRect: Interpolated {
  func moved(to end: CGRect, by fraction: CGFloat) -> CGRect {
    CGRect(
      x: minX.moved(to: end.minX, by: fraction), y: minY.moved(to: end.minY, by: fraction),
      width: width.moved(to: end.width, by: fraction),
      height: height.moved(to: end.height, by: fraction))
  }
}

extension CGAffineTransform: Interpolated {
  func moved(to end: CGAffineTransform, by fraction: CGFloat) -> CGAffineTransform {
    CGAffineTransform(
      a: a.moved(to: end.a, by: fraction), b: b.moved(to: end.b, by: fraction),
      c: c.moved(to: end.c, by: fraction), d: d.moved(to: end.d, by: fraction),
      tx: tx.moved(to: end.tx, by: fraction), ty: ty.moved(to: end.ty, by: fraction))
  }
}

/// The changes of views inside one block of animations.
@MainActor final class AnimatedChanges {
  /// The changes of the running block.
  static var current: AnimatedChanges?

  private struct Change {
    let view: UIView
    let property: AnyKeyPath
    /// Sets the value at this fraction between the old and the new one.
    let set: (CGFloat) -> Void
  }

  private var changes: [Change] = []

  func collect(_ animations: () -> Void) {
    let outer = Self.current
    Self.current = self
    animations()
    Self.current = outer
  }

  func note<Value: Interpolated>(
    _ view: UIView, _ property: ReferenceWritableKeyPath<UIView, Value>, _ old: Value, _ new: Value
  ) {
    let first = changes.contains { $0.view === view && $0.property == property }
    if first { return }
    changes.append(
      Change(view: view, property: property) {
        view[keyPath: property] = old.moved(to: new, by: $0)
      })
  }

  /// Sets all changed values to this fraction.
  func put(at fraction: CGFloat) {
    for change in changes { change.set(fraction) }
  }
}

extension UIView {
  func noteChange<Value: Interpolated & Equatable>(
    _ property: ReferenceWritableKeyPath<UIView, Value>, from old: Value
  ) {
    let new = self[keyPath: property]
    if old != new { AnimatedChanges.current?.note(self, property, old, new) }
  }
}
