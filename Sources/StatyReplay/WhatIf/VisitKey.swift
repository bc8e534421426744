/// A visit of a controller of a file.
struct VisitKey: Hashable {
  let controller: Int32
  let visit: UInt32
}
