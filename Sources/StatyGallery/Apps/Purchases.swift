public import Staty

/// A transaction of the store.
@MainActor public protocol StoreTransaction: AnyObject {
  func pay()
  func finish()
}

/// A second purchase "succeeds" without a payment (RevenueCat 2148).
@MainActor public final class PurchasesModel {
  public let probe: ControllerProbe
  private var current: (any StoreTransaction)?
  private var waiting: [any StoreTransaction] = []
  private let version: Version

  public init(_ version: Version, probe: ControllerProbe = ControllerProbe("gallery-purchases")) {
    (self.version, self.probe) = (version, probe)
  }

  public func buy(_ transaction: any StoreTransaction) {
    probe.requested(transaction, named: "transaction") {
      // Fixed: the store hands the last transaction out until it has removed it.
      if version == .fixed, current != nil {
        waiting.append(transaction)
      } else {
        pay(transaction)
      }
    }
  }

  public func purchased(_ transaction: any StoreTransaction) {
    probe.completed(.entered, transaction) {
      probe.telling(.exit, transaction) { transaction.finish() }
    }
  }

  public func removed(_ transaction: any StoreTransaction) {
    probe.completed(.exited, transaction) {
      if current === transaction { current = nil }
      if !waiting.isEmpty { pay(waiting.removeFirst()) }
    }
  }

  private func pay(_ transaction: any StoreTransaction) {
    current = transaction
    probe.telling(.enter, transaction) { transaction.pay() }
  }
}
