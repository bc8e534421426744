import Staty
import StatyHistory

/// A visit, named by its number and that of its controller in a file.
struct VisitKey: Hashable {
  let controller: Int32
  let visit: UInt32
}
