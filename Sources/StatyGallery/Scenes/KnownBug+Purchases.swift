import Staty
import StatyReplay

extension KnownBug {
  package static let purchases = KnownBug(
    name: "purchases", symptom: "Buying a second time succeeds without a charge",
    report: "RevenueCat/purchases-ios #2148", kind: "gallery-purchases",
    decides: "whether the first transaction is removed before the second is asked for",
    names: ["transaction"]
  ) { version in
    let platform = Platform()
    let model = PurchasesModel(version)
    return Scene(platform, ("gallery-purchases", model.probe))
      .user("buy", answers: 1) { buy(model, platform) }
      .user("buy again") { buy(model, platform) }
  } make: { context, version in
    let model = PurchasesModel(version, probe: context.probe)
    return context.subject(makeState: { script in
      let transaction = Transaction()
      transaction.onPay = { _ in script.enter() }
      transaction.onFinish = { _ in script.exit() }
      script.onCompletion = { [unowned transaction] completion in
        completion == .entered ? model.purchased(transaction) : model.removed(transaction)
      }
      return transaction
    }) { (transaction: Transaction, _) in model.buy(transaction) }
  }

  @MainActor private static func buy(_ model: PurchasesModel, _ platform: Platform) {
    let transaction = Transaction()
    transaction.onPay = { transaction in platform.asked("pay") { model.purchased(transaction) } }
    transaction.onFinish = { transaction in platform.asked("finish") { model.removed(transaction) }
    }
    model.buy(transaction)
  }
}

private final class Transaction: StoreTransaction {
  var onPay: (Transaction) -> Void = { _ in }
  var onFinish: (Transaction) -> Void = { _ in }
  func pay() { onPay(self) }
  func finish() { onFinish(self) }
}
