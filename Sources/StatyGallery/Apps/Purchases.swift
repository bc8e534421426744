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
  private let version: Version

  public init(_ version: Version, probe: ControllerProbe = ControllerProbe("gallery-purchases")) {
    (self.version, self.probe) = (version, probe)
  }

  /// Whether the button is enabled.
  public var canBuy: Bool { current == nil }

  public func buy(_ transaction: any StoreTransaction) {
    probe.requested(transaction, named: "transaction") {
      // Fixed: until the store has removed the last transaction, it would return that one.
      if version == .fixed, !canBuy { return probe.discarded(transaction, .rejected(.busy)) }
      current = transaction
      probe.telling(.enter, transaction) { transaction.pay() }
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
    }
  }
}
