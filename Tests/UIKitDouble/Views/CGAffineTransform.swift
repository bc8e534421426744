/// An affine mapping of the plane, as in Core Graphics.
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

  /// The bounding box of a rectangle with this size and centre, mapped about its centre.
  func box(of size: CGSize, around center: CGPoint) -> CGRect {
    let width = abs(a) * size.width + abs(c) * size.height
    let height = abs(b) * size.width + abs(d) * size.height
    return CGRect(
      x: center.x + tx - width / 2, y: center.y + ty - height / 2, width: width, height: height)
  }

  /// The size that is mapped to this one, if the mapping does not rotate.
  func size(filling size: CGSize) -> CGSize {
    CGSize(
      width: a == 0 ? size.width : size.width / abs(a),
      height: d == 0 ? size.height : size.height / abs(d))
  }

  /// The mapping that changes nothing.
  public static let identity = CGAffineTransform(scaleX: 1, y: 1)
}
