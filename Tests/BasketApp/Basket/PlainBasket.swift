/// The basket without reducer and store: plain asynchronous code, before it is recorded.
@MainActor public final class PlainBasket {
  public private(set) var items: [String] = []
  public private(set) var paid: [String] = []
  public private(set) var isPaying = false
  private let bank: any Bank
  /// Whether nothing can be added while the bank is asked.
  private let isFixed: Bool

  public init(bank: any Bank, isFixed: Bool = false) {
    (self.bank, self.isFixed) = (bank, isFixed)
  }

  public func add(_ item: String) {
    // The bug, unless `isFixed`: the bank charges for the items of before, and then all go.
    if isFixed, isPaying { return }
    items.append(item)
  }

  public func pay() async {
    guard !isPaying, !items.isEmpty else { return }
    isPaying = true
    defer { isPaying = false }
    let charged = items
    guard await bank.pay(for: charged) else { return }
    paid += charged
    items = []
  }
}
