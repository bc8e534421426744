/// A linear mapping of the plane, as Core Graphics has it.
public struct CGAffineTransform: Hashable, Sendable {
  public var a: CGFloat
  public var b: CGFloat
  public var c: CGFloat
  public var d: CGFloat
  public var tx: CGFloat
  public var ty: CGFloat

  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  public init(scaleX x: CGFloat, y: CGFloat) {
    self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  public init(translationX x: CGFloat, y: CGFloat) {
    self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// What something of this size around this point takes up when it is mapped about its middle.
  func box(of size: CGSize, around center: CGPoint) -> CGRect {
    let width = abs(a) * size.width + abs(c) * size.height
    let height = abs(b) * size.width + abs(d) * size.height
    return CGRect(
      x: center.x + tx - width / 2, y: center.y + ty - height / 2, width: width, height: height)
  }

  /// What takes up this size when it is mapped, where nothing is turned.
  func size(filling size: CGSize) -> CGSize {
    CGSize(
      width: a == 0 ? size.width : size.width / abs(a),
      height: d == 0 ? size.height : size.height / abs(d))
  }

  /// The mapping that changes nothing.
  public static let identity = CGAffineTransform(scaleX: 1, y: 1)
}
